/* SPDX-License-Identifier: MIT
 *
 * Threads: create, join, detach, exit, and who is who.
 *
 * Creating drains the creator's buffer, and so does ending; a joiner looks at
 * memory as it is then (docs/models.md).  A handle is the thread's number in
 * disguise, never a pthread_t of the host, so that it is the same in every
 * execution.
 */
#include "sync/sync.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "event/must.h"
#include "runtime/footprint.h"
#include "runtime/happened.h"
#include "runtime/native.h"
#include "sync/sync_attr.h"

#define HANDLE_SHIFT 4

static struct sync_thread of[RT_MAX_THREADS];

struct sync_thread *sync_of(const struct thread *t)
{
    struct sync_thread *s = &of[t->id];

    MUST(t->id < RT_MAX_THREADS);
    if (s->execution != rt.serial) {
        memset(s, 0, sizeof *s);
        s->execution = rt.serial;
    }
    return s;
}

pthread_t sync_handle(const struct thread *t)
{
    return ((pthread_t)t->id + 1) << HANDLE_SHIFT;
}

uint32_t sync_number(pthread_t handle)
{
    return (uint32_t)(handle >> HANDLE_SHIFT);
}

struct thread *sync_find(pthread_t handle)
{
    uint64_t number = handle >> HANDLE_SHIFT;
    struct thread *t;

    if (handle != number << HANDLE_SHIFT || !number || number > RT_MAX_THREADS)
        return NULL;
    t = rt_thread_of((uint32_t)number - 1);
    if (!t || t->joined || (t->detached && t->state == THREAD_DONE))
        return NULL;
    return t;
}

uint32_t sync_take_site_about(pthread_t handle)
{
    const struct thread *self = rt_self();
    uint32_t site;

    if (handle != sync_handle(self))
        return rt_take_site();
    site = rt_take_site_known();
    footprint_change((uint64_t)sync_of(self), sizeof(struct sync_thread));
    return site;
}

/* ---- From start to end. ---- */

static void run(struct thread *t)
{
    void *result;

    HAPPENED(.kind = EV_START);
    rt_event(EV_START, NULL, 0, t->id, 0, 0);
    if (t->start_c11)
        result = (void *)(intptr_t)t->start_c11(t->argument);
    else
        result = t->start(t->argument);
    /* A handler pushed and not popped belongs to a frame that is gone. */
    t->cleanups = NULL;
    t->exiting = true;
    sync_exit(result);
}

int sync_create(pthread_t *handle, const pthread_attr_t *attr,
                void *(*start)(void *), int (*start_c11)(void *),
                void *argument, uint32_t site)
{
    struct thread_attr a;
    struct thread *t;
    struct sync_thread *s;
    pthread_t value;

    sync_attr_read(attr, &a, site);
    if (rt.graphs)
        native_create(site);
    rt_step_draining(EV_CREATE, site);
    if (!MUTANT(15))
        rt_drain(rt_self());
    t = rt_thread_make(run);
    if (!t)
        rt_fail(FAIL_UNSUPPORTED, site, "more than %u threads in one execution",
                RT_MAX_THREADS);
    t->start = start;
    t->start_c11 = start_c11;
    t->argument = argument;
    t->result = NULL;
    t->joiner = NULL;
    t->cleanups = NULL;
    t->detached = a.detached;
    s = sync_of(t);
    memset(s, 0, sizeof *s);
    s->execution = rt.serial;
    s->mask = sync_of(rt_self())->mask;
    s->policy = a.policy;
    s->priority = a.param.sched_priority;
    s->stack_size = a.stack_size;
    s->processors =
        a.processors ? a.processors : sync_of(rt_self())->processors;
    value = sync_handle(t);
    sync_out(handle, &value, sizeof value, site);
    HAPPENED(.kind = EV_CREATE, .other = (uint16_t)t->id, .site = site);
    rt_event(EV_CREATE, NULL, 0, t->id, 0, site);
    return 0;
}

_Noreturn void sync_exit(void *result)
{
    struct thread *t = rt_self();

    t->result = result;
    sync_of(t)->cancel_disabled = true;
    if (rt.key_end)
        sync_key_destroy_all();
    sync_mutex_orphan(t);
    rt_step_draining(EV_EXIT, 0);
    if (!MUTANT(16))
        rt_drain(t);
    HAPPENED(.kind = EV_EXIT);
    rt_event(EV_EXIT, NULL, 0, t->id, 0, 0);
    rt_wake_all(t);
    rt_thread_end();
}

/* ---- Join and detach. ---- */

/* What became of a thread matters. */
static void footprint_handle(const struct thread *t)
{
    if (t)
        footprint_change((uint64_t)t, 8);
    else
        footprint_all();
}

/* May that thread wait for t? */
static int may_join(const struct thread *self, const struct thread *t)
{
    if (!t)
        return ESRCH;
    if (t == self)
        return EDEADLK;
    if (t->detached || t->joiner)
        return EINVAL;
    /* It waits for us already. */
    if (self->joiner == t)
        return EDEADLK;
    return 0;
}

/* A join that can only wait, as it is now. */
static bool join_waits(const struct thread *self, const void *object)
{
    const struct thread *t = object;

    return t && t->state != THREAD_DONE && !sync_of(self)->cancel_pending &&
           (t->joiner == self || !may_join(self, t));
}

/* Waits until t is done.  False: too late, or cancelled. */
static bool wait_for(struct thread *t, const uint64_t *deadline)
{
    while (t->state != THREAD_DONE) {
        if (sync_cancelled())
            return false;
        if (!sync_block_cancelable(EV_JOIN, t, deadline,
                                   sync_words("thread %u to end", t->id)))
            return t->state == THREAD_DONE;
    }
    return true;
}

/* Of a thread that is run by itself: the other one need not be here.  A join
 * that `may_give_up` has two ends at any time: nobody but who joins a thread
 * sees that it has ended, so it may always be too late. */
static int join_alone(pthread_t handle, void **result, bool may_give_up,
                      uint32_t site)
{
    uint32_t number = sync_number(handle);
    uint64_t value;

    if (!number)
        native_refuse("a join of what is no thread", site);
    if (number <= rt.thread_count && rt.threads[number - 1].detached)
        native_refuse("a join of a thread that is detached", site);
    if (number == rt_self()->id + 1)
        return EDEADLK;
    if (may_give_up && native_gives_up_join())
        return ETIMEDOUT;
    value = native_join(number - 1, result, may_give_up, site);
    sync_of(rt_self())->joined |= 1ull << (number - 1);
    if (result)
        sync_out(result, &value, sizeof *result, site);
    return 0;
}

int sync_join(pthread_t handle, void **result, const uint64_t *deadline,
              uint32_t site)
{
    struct thread *self = rt_self(), *t;
    bool waited;
    int error;

    if (native_is_on()) {
        self->site = site;
        sync_cancel_point();
        error = join_alone(handle, result, deadline, site);
        if (error == ETIMEDOUT)
            sync_come_to(*deadline);
        return error;
    }
    sync_cancel_point();
    self->would_wait = deadline ? NULL : join_waits;
    rt_step(EV_JOIN, sync_find(handle), 0, site);
    t = sync_find(handle);
    footprint_handle(t);
    error = may_join(self, t);
    if (error) {
        self->would_wait = NULL;
        return error;
    }
    t->joiner = self;
    waited = wait_for(t, deadline);
    self->would_wait = NULL;
    if (!waited) {
        t->joiner = NULL;
        sync_cancel_point();
        return ETIMEDOUT;
    }
    MUST(t->state == THREAD_DONE && t->joiner == self);
    t->joined = true;
    if (!MUTANT(17))
        rt_cut();
    HAPPENED(.kind = EV_JOIN, .other = (uint16_t)t->id, .site = site);
    rt_event(EV_JOIN, NULL, 0, t->id, 0, site);
    if (result)
        sync_out(result, &t->result, sizeof *result, site);
    return 0;
}

int sync_detach(pthread_t handle)
{
    struct thread *t = sync_find(handle);

    footprint_handle(t);
    if (!t)
        return ESRCH;
    if (t->detached)
        return EINVAL;
    t->detached = true;
    return 0;
}

/* ---- The library's names. ---- */

MODEL_IS(int, pthread_create,
         (pthread_t *handle, const pthread_attr_t *attr, void *(*start)(void *),
          void *argument),
         sync_create(handle, attr, start, NULL, argument, rt_take_site_known()))

MODEL(void, pthread_exit, (void *result))
{
    struct thread *t = rt_self();

    (void)rt_take_site_known();
    t->exiting = true;
    t->result = result;
    sync_of(t)->cancel_disabled = true;
    sync_unwind();
}

MODEL_IS(int, pthread_join, (pthread_t handle, void **result),
         sync_join(handle, result, NULL, rt_take_site_known()))

/* Where threads run side by side it depends on much whether another one has
 * ended. */
static uint32_t take_site_of_join(void)
{
    return native_is_on() ? rt_take_site_known() : rt_take_site();
}

MODEL(int, pthread_tryjoin_np, (pthread_t handle, void **result))
{
    uint32_t site = take_site_of_join();
    const struct thread *t;

    if (native_is_on()) {
        int error = join_alone(handle, result, true, site);

        return error == ETIMEDOUT ? EBUSY : error;
    }
    rt_step(EV_JOIN, sync_find(handle), 0, site);
    t = sync_find(handle);
    if (t && t != rt_self() && t->state != THREAD_DONE)
        return may_join(rt_self(), t) ? may_join(rt_self(), t) : EBUSY;
    return sync_join(handle, result, NULL, site);
}

MODEL(int, pthread_clockjoin_np,
      (pthread_t handle, void **result, clockid_t clock,
       const struct timespec *when))
{
    uint32_t site = take_site_of_join();
    uint64_t deadline;
    int error;

    if (!when)
        return sync_join(handle, result, NULL, site);
    error = sync_deadline(clock, when, site, &deadline);
    return error ? error : sync_join(handle, result, &deadline, site);
}

MODEL_IS(int, pthread_timedjoin_np,
         (pthread_t handle, void **result, const struct timespec *when),
         __fencer_pthread_clockjoin_np(handle, result, CLOCK_REALTIME, when))
MODEL_IS(int, pthread_detach, (pthread_t handle),
         (rt_take_site_known(), sync_detach(handle)))
MODEL_IS(pthread_t, pthread_self, (void),
         (rt_take_site_known_quiet(), sync_handle(rt_self())))
MODEL_IS(int, pthread_equal, (pthread_t a, pthread_t b),
         (rt_take_site_known_quiet(), a == b))
