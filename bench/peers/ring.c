/* SPDX-License-Identifier: MIT
 *
 * A ring buffer for one producer and one consumer: N values through 2 cells.
 */
#include "peers.h"

#define CELLS 2

static volatile int cell[CELLS];
static atomic_int head, tail;

static void *producer(void *unused)
{
    (void)unused;
    for (int i = 0; i < N; i++) {
        WAIT_UNTIL(i - load_acquire(&head) < CELLS);
        cell[i % CELLS] = i + 1;
        store_release(&tail, i + 1);
    }
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    for (int i = 0; i < N; i++) {
        WAIT_UNTIL(load_acquire(&tail) > i);
        assert(cell[i % CELLS] == i + 1);
        store_release(&head, i + 1);
    }
    return NULL;
}

int main(void)
{
    run_one_and_many(producer, consumer, 1);
    return 0;
}
