/* SPDX-License-Identifier: MIT
 *
 * A work-stealing queue in the style of SOBER's `takequeue` and of Cilk's THE
 * protocol: the owner pushes and pops at the tail without a lock as long as
 * head and tail are apart; thieves lock, and take at the head.  Two threads,
 * six operations.
 *
 *   sc: correct
 *   tso: broken
 *   pso: broken
 *   pslo: broken
 *   fenced: correct
 *
 * Owner and thief each claim the last task, then look whether the other did:
 * both stores may still be in a buffer (1, 2).  On PSO the thief sees the new
 * tail before the task (3); on PSLO it read the slot before the tail (4).
 *
 *   without 1: tso sl claim-tail see-head
 *   without 2: tso sl claim-head see-tail
 *   without 3: pso ss slot push
 *   without 4: pslo ll see-tail steal
 */
#include "history.h"

#define SLOTS 4

static volatile int slot[SLOTS], head, tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int task)
{
    int t = tail;

    slot[t % SLOTS] = task; /* slot */
    FENCE(3, ss);
    tail = t + 1; /* push */
}

/* The owner and a thief are after the same task, or there is none. */
static int pop_locked(void)
{
    int t, task = EMPTY;

    pthread_mutex_lock(&lock);
    t = tail - 1;
    if (head <= t) {
        tail = t;
        task = slot[t % SLOTS];
    }
    pthread_mutex_unlock(&lock);
    return task;
}

static int pop(void)
{
    int t = tail - 1;

    tail = t; /* claim-tail */
    FENCE(1, sl);
    if (head <= t) /* see-head */
        return slot[t % SLOTS];
    tail = t + 1;
    return pop_locked();
}

static int steal(void)
{
    int h, task = EMPTY;

    pthread_mutex_lock(&lock);
    h = head;
    head = h + 1; /* claim-head */
    FENCE(2, sl);
    if (h < tail) { /* see-tail */
        FENCE(4, ll);
        task = slot[h % SLOTS]; /* steal */
    } else {
        head = h;
    }
    pthread_mutex_unlock(&lock);
    return task;
}

static void *owner(void *unused)
{
    (void)unused;
    for (int task = 1; task <= 2; task++) {
        push(task);
        note(1, PUT_RIGHT, task, 0);
    }
    note(1, GET_RIGHT, 0, pop());
    note(1, GET_RIGHT, 0, pop());
    return NULL;
}

static void *thief(void *unused)
{
    (void)unused;
    note(2, GET_LEFT, 0, steal());
    note(2, GET_LEFT, 0, steal());
    return NULL;
}

int main(void)
{
    run_threads((bodies){owner, thief}, 2);
    note(AFTER, GET_LEFT, 0, steal());
    assert(explained());
    return 0;
}
