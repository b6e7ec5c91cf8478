/* SPDX-License-Identifier: MIT
 *
 * A sequence lock: one thread writes a pair N times, another reads it once and
 * takes what did not change meanwhile.
 */
#include "peers.h"

static atomic_int sequence, first, second;

static void *writer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= N; i++) {
        store(&sequence, 2 * i - 1);
        FENCE_RELEASE();
        store(&first, i);
        store(&second, i);
        store_release(&sequence, 2 * i);
    }
    return NULL;
}

static void *reader(void *unused)
{
    int begun, ended, a, b;

    (void)unused;
    do {
        WAIT_UNTIL(((begun = load_acquire(&sequence)) & 1) == 0);
        a = load(&first);
        b = load(&second);
        FENCE_ACQUIRE();
        ended = load(&sequence);
        if (begun != ended)
            AGAIN();
    } while (begun != ended);
    assert(a == b);
    return NULL;
}

int main(void)
{
    run_one_and_many(writer, reader, 1);
    return 0;
}
