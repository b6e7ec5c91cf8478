/* SPDX-License-Identifier: MIT
 *
 * Cancellation and cleanup handlers.
 *
 * Cancellation is deferred, as it is by default: pthread_cancel leaves a note,
 * and wakes the thread if it is blocked at a cancellation point; there the
 * thread ends as by pthread_exit(PTHREAD_CANCELED).  Asynchronous cancellation
 * ends it at its next step, whatever that is: while accesses are seen, between
 * any two of them.
 *
 * In C, pthread_cleanup_push keeps a jump buffer on the stack and registers
 * it:
 *
 *     if (__sigsetjmp(buf)) { handler(arg); __pthread_unwind_next(buf); }
 *     __pthread_register_cancel(buf); ... __pthread_unregister_cancel(buf);
 *
 * so ending a thread means to jump to the newest buffer, whose frame calls us
 * back by __pthread_unwind_next, and so on until none is left.
 */
#include "sync/sync.h"

#include <errno.h>
#include <setjmp.h>
#include <string.h>

#include "event/must.h"
#include "libc/libc.h"
#include "runtime/footprint.h"
#include "runtime/happened.h"
#include "runtime/native.h"

_Static_assert(sizeof(struct rt_cleanup) <= sizeof(__pthread_unwind_buf_t),
               "a cleanup record fits where pthread_cleanup_push has room");

void sync_cleanup_push(struct rt_cleanup *c, void (*run)(void *), void *object)
{
    struct thread *t = rt_self();

    c->older = t->cleanups;
    c->run = run;
    c->object = object;
    t->cleanups = c;
}

void sync_cleanup_pop(struct rt_cleanup *c)
{
    rt_self()->cleanups = c->older;
}

_Noreturn static void jump(struct rt_cleanup *c)
{
    sigjmp_buf place;

    /* What the program has is the beginning of a sigjmp_buf; its mask was not
     * saved, so the rest is not looked at. */
    memcpy(place, c->jump, sizeof c->jump);
    siglongjmp(place, 1);
}

_Noreturn void sync_unwind(void)
{
    struct thread *t = rt_self();

    sync_left();
    while (t->cleanups) {
        struct rt_cleanup *c = t->cleanups;

        t->cleanups = c->older;
        if (!c->run)
            jump(c);
        c->run(c->object);
    }
    sync_exit(t->result);
}

bool sync_cancelled(void)
{
    const struct sync_thread *s = sync_of(rt_self());

    /* In a graph a thread waits for one thing. */
    if (native_is_on() && !s->cancel_disabled && native_may_be_cancelled())
        native_refuse("a wait that a cancellation may end", rt_self()->site);
    return s->cancel_pending && !s->cancel_disabled;
}

_Noreturn static void end_cancelled(void)
{
    struct thread *t = rt_self();

    t->exiting = true;
    t->result = PTHREAD_CANCELED;
    sync_of(t)->cancel_disabled = true;
    sync_unwind();
}

void sync_cancel_point(void)
{
    if (sync_cancelled())
        end_cancelled();
}

bool sync_block_cancelable(enum event_kind kind, const void *object,
                           const uint64_t *deadline, const char *words)
{
    struct sync_thread *s = sync_of(rt_self());
    bool woken;

    MUST(!s->cancelable);
    s->cancelable = true;
    woken = sync_block(kind, object, deadline, words);
    s->cancelable = false;
    return woken;
}

/* Of a thread that is run by itself: the other one need not be here. */
static int cancel_alone(pthread_t handle, uint32_t site)
{
    uint32_t number = sync_number(handle);

    if (!model_has_machine(rt.model))
        native_refuse("cancellation, without a machine", site);
    if (!number || number > 64)
        native_refuse("a cancellation of what is no thread", site);
    if (sync_of(rt_self())->joined >> (number - 1) & 1)
        return ESRCH;
    native_cancel(number - 1, site);
    return 0;
}

MODEL(int, pthread_cancel, (pthread_t handle))
{
    uint32_t site = native_is_on() ? rt_take_site_known() : rt_take_site();
    struct thread *t;
    struct sync_thread *s;

    if (native_is_on())
        return cancel_alone(handle, site);
    rt_step(EV_POST, NULL, 0, site);
    t = sync_find(handle);
    if (!t)
        return ESRCH;
    s = sync_of(t);
    if (s->cancel_anywhere)
        libc_refuse_explored("asynchronous cancellation", site);
    s->cancel_pending = true;
    happened_object(EV_POST, s, sizeof *s, 0, 1, 0, site);
    rt_event(EV_POST, NULL, 0, t->id, 0, site);
    t->interrupted = t->interrupted || s->cancel_anywhere;
    if (s->cancelable && !s->cancel_disabled && t->state == THREAD_BLOCKED)
        rt_wake(t);
    /* It may sleep in a loop instead: see sync_yield. */
    rt_wake_all(&s->cancel_pending);
    return 0;
}

/* It polls, so others may have something to say; and it has its turn, as an
 * access has. */
static bool test(struct sync_thread *s, uint32_t site)
{
    if (native_is_on() && s->cancel_disabled) {
        native_skips();
        return false;
    }
    if (native_is_on())
        return native_is_cancelled(site);
    sync_give_way();
    rt_step(EV_RMW, &s->cancel_pending, sizeof s->cancel_pending, site);
    footprint_read((uint64_t)s, sizeof *s);
    rt_event(EV_YIELD, NULL, 0, 0, 0, site);
    HAPPENED(.kind = EV_RMW, .address = (uint64_t)&s->cancel_pending, .size = 1,
             .flags = HAPPENED_GHOST, .site = site);
    sync_read(&s->cancel_pending, sizeof s->cancel_pending);
    sync_polls();
    return sync_cancelled();
}

MODEL(void, pthread_testcancel, (void))
{
    uint32_t site = rt_take_site_known_quiet();

    if (test(sync_of(rt_self()), site))
        end_cancelled();
}

MODEL(int, pthread_setcancelstate, (int state, int *old))
{
    uint32_t site = rt_take_site_known();
    struct sync_thread *s = sync_of(rt_self());
    int was =
        s->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;

    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    s->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
    if (old)
        sync_out(old, &was, sizeof was, site);
    return 0;
}

MODEL(int, pthread_setcanceltype, (int type, int *old))
{
    uint32_t site = rt_take_site_known();
    struct sync_thread *s = sync_of(rt_self());
    int was = s->cancel_anywhere ? PTHREAD_CANCEL_ASYNCHRONOUS
                                 : PTHREAD_CANCEL_DEFERRED;

    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    if (native_is_on() && type == PTHREAD_CANCEL_ASYNCHRONOUS)
        native_refuse("asynchronous cancellation", site);
    s->cancel_anywhere = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    if (old)
        sync_out(old, &was, sizeof was, site);
    if (s->cancel_anywhere)
        sync_cancel_point();
    return 0;
}

MODEL_DOES(__pthread_register_cancel, (__pthread_unwind_buf_t *buf),
           (rt_take_site_known(),
            sync_cleanup_push((struct rt_cleanup *)(void *)buf, NULL, NULL)))
MODEL_DOES(__pthread_unregister_cancel, (__pthread_unwind_buf_t *buf),
           (rt_take_site_known(),
            sync_cleanup_pop((struct rt_cleanup *)(void *)buf)))

/* The _np forms also save and set the cancellation type, of which there is
 * only one here. */
MODEL_ALSO(__pthread_register_cancel_defer, __pthread_register_cancel)
MODEL_ALSO(__pthread_unregister_cancel_restore, __pthread_unregister_cancel)
MODEL_DOES(__pthread_unwind_next, (__pthread_unwind_buf_t *buf),
           (rt_take_site_known(), sync_unwind()))
