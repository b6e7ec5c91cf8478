/* SPDX-License-Identifier: MIT
 *
 * Atomics without an instruction: 24 bytes, and 16.  None tears.
 *
 * expect: 0
 * options: --model sc,tso,pso,pslo --runs 300
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

struct odd {
    long a, b, c;
};

static _Atomic struct odd odd;
static _Atomic unsigned __int128 wide;

static void *worker(void *none)
{
    for (int i = 1; i <= 3; i++) {
        struct odd old = atomic_load(&odd), new;

        do {
            assert(old.a == old.b && old.b == old.c);
            new = (struct odd){old.a + 1, old.b + 1, old.c + 1};
        } while (!atomic_compare_exchange_strong(&odd, &old, new));
        atomic_fetch_add(&wide, (unsigned __int128)1 << 64 | 1);
    }
    return none;
}

int main(void)
{
    pthread_t other;
    unsigned __int128 total;
    struct odd zero = {0, 0, 0}, last;

    pthread_create(&other, NULL, worker, NULL);
    worker(NULL);
    pthread_join(other, NULL);
    last = atomic_exchange(&odd, zero);
    assert(last.a == 6 && last.b == 6 && last.c == 6);
    total = atomic_load(&wide);
    assert((unsigned long)total == 6 && (unsigned long)(total >> 64) == 6);
    return 0;
}
