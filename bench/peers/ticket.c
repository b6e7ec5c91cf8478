/* SPDX-License-Identifier: MIT
 *
 * A ticket lock, N threads with a critical section each.  Without -DFENCED all
 * of it is relaxed; what the sections write then comes out late.
 */
#include "peers.h"

static atomic_int next, serving;
static volatile int data;

static void *run(void *unused)
{
    int mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);

    (void)unused;
    WAIT_UNTIL(load_acquire(&serving) == mine);
    data = data + 1;
    store_release(&serving, mine + 1);
    return NULL;
}

int main(void)
{
    run_many(run, N);
    assert(data == N);
    return 0;
}
