/* SPDX-License-Identifier: MIT
 *
 * C11's <threads.h>: the same objects under other names, with other numbers
 * for what went wrong.
 */
#include "sync/sync.h"

#include <errno.h>

MODEL_OF(pthread_exit)
MODEL_OF(nanosleep)

static struct mutex *mutex_of(mtx_t *m)
{
    return (struct mutex *)(void *)m;
}

static struct cond *cond_of(cnd_t *c)
{
    return (struct cond *)(void *)c;
}

static int result_of(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    default:
        return thrd_error;
    }
}

/* ---- Threads. ---- */

MODEL_IS(int, thrd_create, (thrd_t *to, thrd_start_t start, void *argument),
         result_of(sync_create(to, NULL, NULL, start, argument,
                               rt_take_site_known())))
MODEL_IS(int, thrd_equal, (thrd_t a, thrd_t b),
         (rt_take_site_known_quiet(), a == b))
MODEL_IS(thrd_t, thrd_current, (void),
         (rt_take_site_known_quiet(), sync_handle(rt_self())))
MODEL_DOES(thrd_exit, (int result),
           __fencer_pthread_exit((void *)(intptr_t)result))
MODEL_IS(int, thrd_detach, (thrd_t t),
         (rt_take_site_known(), result_of(sync_detach(t))))

MODEL(int, thrd_join, (thrd_t t, int *result))
{
    uint32_t site = rt_take_site_known();
    void *pointer;
    int error = sync_join(t, result ? &pointer : NULL, NULL, site);

    if (!error && result) {
        int value = (int)(intptr_t)pointer;

        sync_out(result, &value, sizeof value, site);
    }
    return result_of(error);
}

MODEL_DOES(thrd_yield, (void), sync_yield(rt_take_site_known_quiet()))

MODEL(int, thrd_sleep, (const struct timespec *time, struct timespec *left))
{
    int saved = errno;
    int result = __fencer_nanosleep(time, left);

    errno = saved;
    return result ? -2 : 0;
}

/* ---- Mutexes. ---- */

MODEL(int, mtx_init, (mtx_t *m, int type))
{
    uint32_t site = rt_take_site_known();

    if (type & ~(mtx_recursive | mtx_timed))
        return thrd_error;
    sync_mutex_init(mutex_of(m),
                    type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE
                                         : PTHREAD_MUTEX_NORMAL,
                    site);
    return thrd_success;
}

MODEL_IS(int, mtx_lock, (mtx_t *m),
         result_of(sync_mutex_lock(mutex_of(m), NULL, rt_take_site_known())))
MODEL_IS(int, mtx_timedlock, (mtx_t *m, const struct timespec *when),
         result_of(sync_mutex_lock_until(mutex_of(m), CLOCK_REALTIME, when,
                                         rt_take_site_known())))
MODEL_IS(int, mtx_trylock, (mtx_t *m),
         result_of(sync_mutex_trylock(mutex_of(m), rt_take_site_known_quiet())))
MODEL_IS(int, mtx_unlock, (mtx_t *m),
         result_of(sync_mutex_unlock(mutex_of(m), "mtx_unlock",
                                     rt_take_site_known())))

MODEL(void, mtx_destroy, (mtx_t *m))
{
    (void)sync_mutex_destroy(mutex_of(m), rt_take_site_known());
}

/* ---- Condition variables. ---- */

MODEL_IS(
    int, cnd_init, (cnd_t *c),
    result_of(sync_cond_init(cond_of(c), CLOCK_REALTIME, rt_take_site_known())))
MODEL_IS(int, cnd_signal, (cnd_t *c),
         result_of(sync_cond_wake(cond_of(c), false, rt_take_site_known())))
MODEL_IS(int, cnd_broadcast, (cnd_t *c),
         result_of(sync_cond_wake(cond_of(c), true, rt_take_site_known())))
MODEL_IS(int, cnd_wait, (cnd_t *c, mtx_t *m),
         result_of(sync_cond_wait(cond_of(c), mutex_of(m), NULL, "cnd_wait",
                                  rt_take_site_known_quiet())))
MODEL_IS(int, cnd_timedwait, (cnd_t *c, mtx_t *m, const struct timespec *when),
         result_of(sync_cond_wait_until(cond_of(c), mutex_of(m), CLOCK_REALTIME,
                                        when, "cnd_timedwait",
                                        rt_take_site_known_quiet())))
MODEL_DOES(cnd_destroy, (cnd_t *c),
           sync_cond_destroy(cond_of(c), rt_take_site_known()))

/* ---- Once, and data of a thread's own. ---- */

MODEL_DOES(call_once, (once_flag *flag, void (*routine)(void)),
           sync_once(&flag->__data, routine, rt_take_site_known()))
MODEL_IS(int, tss_create, (tss_t *key, tss_dtor_t destructor),
         result_of(sync_key_create(key, destructor, rt_take_site_known())))
MODEL_IS(void *, tss_get, (tss_t key),
         (rt_take_site_known_quiet(), sync_key_get(key)))
MODEL_IS(int, tss_set, (tss_t key, void *value),
         (rt_take_site_known(), result_of(sync_key_set(key, value))))
MODEL_DOES(tss_delete, (tss_t key),
           (rt_take_site_known(), sync_key_delete(key)))
