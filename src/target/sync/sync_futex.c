/* SPDX-License-Identifier: MIT
 *
 * Futexes: waiting for a word of the program to change.
 *
 * The kernel looks at the word and queues the thread in one step, and so do we:
 * nobody runs between the look and the block.  Both calls begin with a full
 * fence in the kernel, whatever they find: a waiter that saw the old value is
 * seen by whoever stored the new one and then wakes.  So a wake-up that is lost
 * here is lost there.  Here they end with one, too.
 *
 * Which of several waiters wake is the scheduler's choice.
 */
#include "sync/sync.h"

#include <errno.h>
#include <string.h>

#include "runtime/footprint.h"
#include "runtime/happened.h"
#include "runtime/native.h"

#define BUCKETS 256

/* Who waits for a word.  Beyond the word itself that is all there is, and only
 * a graph needs it written down: on the machines threads are blocked on it. */
struct bucket {
    const void *word;
    struct queue {
        uint64_t asleep; /* a bit a thread */
        uint64_t taken;  /* somebody looks at the word */
    } queue;
};
static struct bucket buckets[BUCKETS];
static bool used;

/* A word keeps its bucket for good: in a search over graphs that is its name.
 */
static struct queue *queue_of(const void *word, uint32_t site)
{
    uint32_t i = (uint32_t)((uint64_t)word * 0x9e3779b97f4a7c15ull >> 56);

    used = true;
    for (uint32_t n = 0; n < BUCKETS; n++) {
        struct bucket *b = &buckets[(i + n) % BUCKETS];

        if (!b->word)
            b->word = word;
        if (b->word == word)
            return &b->queue;
    }
    rt_fail(FAIL_UNSUPPORTED, site, "more than %u futexes", BUCKETS);
}

void sync_forget_futexes(void)
{
    if (used)
        memset(buckets, 0, sizeof buckets);
    used = false;
}

bool sync_is_futex(const void *object)
{
    return (uint64_t)object - (uint64_t)buckets < sizeof buckets;
}

/* ---- In a graph (runtime/native.h) ----
 *
 * The queue is an object, and its `taken` what the kernel's lock of it is: who
 * looks at the word holds it meanwhile. */

static uint64_t bit_of(uint32_t thread)
{
    return 1ull << thread;
}

static void take(struct queue *q, uint32_t site)
{
    native_sync(q, sizeof *q, ROLE_OTHER, site);
    while (q->taken)
        rt_block(EV_LOCK, q, false, "a futex");
}

/* In C11, too. */
static void fence_in_graph(uint32_t site)
{
    native_fence(FENCE_FULL, ORDER_SEQ_CST, site);
}

/* Looks at the word, and queues if it is as expected. */
static bool queue_in_graph(struct queue *q, const uint32_t *word,
                           uint32_t expected, uint32_t site)
{
    bool same;

    fence_in_graph(site);
    take(q, site);
    q->taken = 1;
    native_did(C_LOCK, q);
    same = rt_load_fenced(word, sizeof *word, site) == expected;
    native_sync(q, sizeof *q, ROLE_OTHER, site);
    q->taken = 0;
    if (same)
        q->asleep |= bit_of(rt_self()->id);
    native_did(C_POST, q);
    fence_in_graph(site);
    return same;
}

static bool give_up_in_graph(struct queue *q, uint32_t site)
{
    uint64_t me = bit_of(rt_self()->id);

    native_sync(q, sizeof *q, ROLE_LATE, site);
    if (!(q->asleep & me))
        return false;
    q->asleep &= ~me;
    return true;
}

static int wait_in_graph(const uint32_t *word, uint32_t expected,
                         const uint64_t *deadline, uint32_t site)
{
    struct queue *q = queue_of(word, site);
    bool late = deadline && native_is_late();

    if (!queue_in_graph(q, word, expected, site))
        return EAGAIN;
    if (late && give_up_in_graph(q, site)) {
        sync_come_to(*deadline);
        return ETIMEDOUT;
    }
    sync_sleep_in_graph(deadline, "a futex", site);
    happened_object(EV_WAIT, q, sizeof *q, 1, 1, 0, site);
    fence_in_graph(site);
    return 0;
}

static uint32_t waiting_in_graph(struct queue *q, uint32_t site)
{
    take(q, site);
    return (uint32_t)__builtin_popcountll(q->asleep);
}

static uint32_t wake_in_graph(const uint32_t *word, uint32_t count,
                              uint32_t site)
{
    struct queue *q = queue_of(word, site);
    uint32_t n, chosen = 0;
    uint64_t told;

    fence_in_graph(site);
    n = waiting_in_graph(q, site);
    if (count > 1 && n > count)
        native_refuse("a futex wakes several threads, and not all", site);
    if (n > count && count) {
        chosen = rt_choose(n);
        n = waiting_in_graph(q, site);
    }
    told = n > count ? bit_of(sync_nth(q->asleep, chosen % n)) : q->asleep;
    told = count ? told : 0;
    q->asleep &= ~told;
    native_did(C_POST, q);
    happened_object(EV_POST, q, sizeof *q, 1, 1, 0, site);
    n = (uint32_t)__builtin_popcountll(told);
    sync_wake_in_graph(told, false, site);
    fence_in_graph(site);
    return n;
}

/* ---- On the machines ---- */

/* The n-th waiter, by thread number; NULL: there are no more. */
static struct thread *waiter(const struct queue *q, uint32_t n)
{
    for (uint32_t i = 0; i < rt.thread_count; i++) {
        struct thread *t = &rt.threads[i];

        if (t->state == THREAD_BLOCKED && t->blocked_on == q && !n--)
            return t;
    }
    return NULL;
}

static uint32_t count_waiters(const struct queue *q)
{
    uint32_t n = 0;

    while (waiter(q, n))
        n++;
    return n;
}

static bool is_word(const uint32_t *word)
{
    return !((uint64_t)word % sizeof *word);
}

int sync_futex_wait(const uint32_t *word, uint32_t expected,
                    const uint64_t *deadline, uint32_t site)
{
    const struct queue *q = queue_of(word, site);
    bool woken;

    if (!is_word(word))
        return EINVAL;
    if (native_is_on())
        return wait_in_graph(word, expected, deadline, site);
    if (rt_load_fenced(word, sizeof *word, site) != expected)
        return EAGAIN;
    footprint_change((uint64_t)q, sizeof *q);
    woken = sync_block(EV_WAIT, q, deadline, "a futex");
    footprint_change((uint64_t)q, sizeof *q);
    rt_drain_and_cut();
    if (woken)
        happened_object(EV_WAIT, q, sizeof *q, 1, 1, 0, site);
    rt_event(EV_CALL, NULL, 0, 0, 0, site);
    return woken ? 0 : ETIMEDOUT;
}

uint32_t sync_futex_wake(const uint32_t *word, uint32_t count, uint32_t site)
{
    const struct queue *q = queue_of(word, site);
    uint32_t woken = 0;

    if (native_is_on())
        return wake_in_graph(word, count, site);
    rt_self()->sched->drains = true;
    rt_step(EV_POST, q, sizeof *q, site);
    rt_self()->sched->drains = false;
    rt_drain_and_cut();
    footprint_change((uint64_t)q, sizeof *q);
    for (uint32_t n; woken < count && (n = count_waiters(q)); woken++)
        rt_wake(waiter(q, count - woken < n ? rt_choose(n) : 0));
    happened_object(EV_POST, q, sizeof *q, 1, 1, 0, site);
    rt_event(EV_CALL, NULL, 0, 0, 0, site);
    return woken;
}
