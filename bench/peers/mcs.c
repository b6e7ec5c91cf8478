/* SPDX-License-Identifier: MIT
 *
 * The queue lock of Mellor-Crummey and Scott (TOCS 1991), N threads with a
 * critical section each.  Without -DFENCED all of it is relaxed.
 */
#include "peers.h"

struct place {
    struct place *_Atomic next;
    atomic_bool waits;
};

static struct place *_Atomic tail;
static struct place places[N];
static volatile int data;

static void lock(struct place *mine)
{
    struct place *before;

    store(&mine->waits, true);
    before = atomic_exchange_explicit(&tail, mine, BOTH);
    if (before) {
        store_release(&before->next, mine);
        WAIT_UNTIL(!load_acquire(&mine->waits));
    }
}

static void unlock(struct place *mine)
{
    struct place *after = load_acquire(&mine->next);

    if (!after) {
        struct place *expected = mine;

        if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL,
                                                    RELEASE, RELAXED))
            return;
        WAIT_UNTIL((after = load_acquire(&mine->next)) != NULL);
    }
    store_release(&after->waits, false);
}

static void *run(void *number)
{
    struct place *mine = &places[number_of(number)];

    lock(mine);
    data = data + 1;
    unlock(mine);
    return NULL;
}

int main(void)
{
    run_many(run, N);
    assert(data == N);
    return 0;
}
