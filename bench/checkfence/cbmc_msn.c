/* SPDX-License-Identifier: MIT
 *
 * The test ( ee | dd ) of Michael and Scott's queue for CBMC, which bench/sat
 * runs beside ours where it is installed:
 *
 *   cbmc --unwind 4 --no-unwinding-assertions --mm sc|tso cbmc_msn.c
 *
 * CBMC refuses linked structures on weak models, so nodes are numbers here and
 * their fields arrays; node 0 is no node.  It has no specifications either:
 * the assertion is what a queue may answer.
 */
#include <assert.h>
#include <pthread.h>

#define EMPTY (-1)
#define DUMMY 1

static int value[4], next[4];
static int head = DUMMY, tail = DUMMY;
static int first_result, second_result;

#ifdef __CPROVER__
static int cas(int *where, int from, int to)
{
    int done;

    __CPROVER_atomic_begin();
    done = *where == from;
    if (done)
        *where = to;
    __CPROVER_atomic_end();
    return done;
}
#else
static int cas(int *where, int from, int to)
{
    return __atomic_compare_exchange_n(where, &from, to, 0, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}
#endif

static void enqueue(int node, int v)
{
    int last, behind;

    value[node] = v;
    next[node] = 0;
    for (;;) {
        last = tail;
        behind = next[last];
        if (last != tail)
            continue;
        if (behind)
            cas(&tail, last, behind);
        else if (cas(&next[last], 0, node))
            break;
    }
    cas(&tail, last, node);
}

static int dequeue(void)
{
    int first, last, behind, v;

    for (;;) {
        first = head;
        last = tail;
        behind = next[first];
        if (first != head)
            continue;
        if (first != last) {
            v = value[behind];
            if (cas(&head, first, behind))
                return v;
        } else if (behind) {
            cas(&tail, last, behind);
        } else {
            return EMPTY;
        }
    }
}

static void *producer(void *unused)
{
    enqueue(2, 1);
    enqueue(3, 2);
    return unused;
}

static void *consumer(void *unused)
{
    first_result = dequeue();
    second_result = dequeue();
    return unused;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], 0, producer, 0);
    pthread_create(&threads[1], 0, consumer, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(first_result == EMPTY || first_result == 1);
    assert(second_result == EMPTY ||
           second_result == (first_result == EMPTY ? 1 : 2));
    return 0;
}
