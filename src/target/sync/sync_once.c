/* SPDX-License-Identifier: MIT
 *
 * Once, and data of a thread's own.
 *
 * The first to come runs the routine, the others sleep until it has ended; its
 * end is a release, every return an acquire.  If the routine is left by
 * pthread_exit or cancellation it was never begun, and the next one runs it.
 */
#include "sync/sync.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "event/must.h"
#include "libc/libc.h"
#include "runtime/footprint.h"
#include "runtime/happened.h"
#include "runtime/native.h"

enum once_state { ONCE_NEW, ONCE_RUNNING, ONCE_DONE };

static void end_once(int *control, enum once_state state, uint32_t site)
{
    rt_step(EV_POST, control, sizeof *control, site);
    footprint_change((uint64_t)control, sizeof *control);
    rt_acquire(C_POST, control);
    *control = state;
    rt_wake_all(control);
    rt_acquired(C_POST, control);
    happened_object(EV_POST, control, sizeof *control, 1, 1, 0, site);
    rt_event(EV_POST, control, sizeof *control, state, 0, site);
}

static void abandon_once(void *control)
{
    end_once(control, ONCE_NEW, 0);
}

static bool once_waits(const struct thread *t, const void *object)
{
    (void)t;
    return *(const int *)object == ONCE_RUNNING;
}

void sync_once(int *control, void (*routine)(void), uint32_t site)
{
    struct rt_cleanup cleanup;
    bool done;

    sync_enter_waiting(EV_WAIT, control, sizeof *control, once_waits, site);
    rt_self()->pending.kind = EV_WAIT;
    for (;;) {
        rt_acquire(C_WAIT, control);
        if (*control != ONCE_RUNNING)
            break;
        sync_block(EV_LOCK, control, NULL, "the end of a pthread_once routine");
        sync_look(control, sizeof *control, site);
    }
    sync_left();
    done = *control == ONCE_DONE;
    if (!done) {
        rt_touch(control, sizeof *control);
        *control = ONCE_RUNNING;
    }
    rt_acquired(C_WAIT, control);
    happened_object(EV_WAIT, control, sizeof *control, 1, 1, 0, site);
    rt_event(EV_WAIT, control, sizeof *control, done, 0, site);
    if (done)
        return;
    sync_cleanup_push(&cleanup, abandon_once, control);
    routine();
    sync_cleanup_pop(&cleanup);
    end_once(control, ONCE_DONE, site);
}

MODEL(int, pthread_once, (pthread_once_t *control, void (*routine)(void)))
{
    sync_once(control, routine, rt_take_site_known());
    return 0;
}

/* ---- Keys. ---- */

static struct {
    bool used;
    void (*destructor)(void *);
} keys[RT_KEYS_MAX];
static uint64_t keys_execution; /* + 1 */

static void fresh_keys(void)
{
    if (keys_execution != rt.serial)
        memset(keys, 0, sizeof keys);
    keys_execution = rt.serial;
}

/* Is it one?  If nobody makes keys while there are threads, that is known. */
static bool is_key(uint32_t key)
{
    fresh_keys();
    if (key >= RT_KEYS_MAX)
        return false;
    if (!native_is_on())
        footprint_read((uint64_t)keys, sizeof keys);
    else if (native_has_trait(TRAIT_MAKES_KEYS, false))
        native_library(&keys[key], sizeof keys[key], rt_self()->site);
    return keys[key].used;
}

int sync_key_create(uint32_t *to, void (*destructor)(void *), uint32_t site)
{
    uint32_t key = 0;

    if (native_is_on())
        native_has_trait(TRAIT_MAKES_KEYS, true);
    while (is_key(key))
        key++;
    if (key == RT_KEYS_MAX)
        return EAGAIN;
    if (!native_is_on())
        footprint_change((uint64_t)keys, sizeof keys);
    keys[key].used = true;
    keys[key].destructor = destructor;
    if (rt.key_end <= key)
        rt.key_end = key + 1;
    /* What a deleted key of this number left behind is nobody's. */
    for (uint32_t i = 0; !native_is_on() && i < rt.thread_count; i++)
        rt.threads[i].keys[key] = NULL;
    libc_out(to, &key, sizeof key, site);
    return 0;
}

int sync_key_delete(uint32_t key)
{
    if (native_is_on())
        native_refuse("pthread_key_delete while there are threads",
                      rt_self()->site);
    if (!is_key(key))
        return EINVAL;
    footprint_change((uint64_t)keys, sizeof keys);
    keys[key].used = false;
    return 0;
}

void *sync_key_get(uint32_t key)
{
    return is_key(key) ? (void *)(uintptr_t)rt_self()->keys[key] : NULL;
}

int sync_key_set(uint32_t key, const void *value)
{
    if (!is_key(key))
        return EINVAL;
    rt_self()->keys[key] = value;
    if (rt.key_end <= key) /* another thread, which is not here, made it */
        rt.key_end = key + 1;
    return 0;
}

/* One round; true: some destructor ran, and may have set a value again. */
static bool destroy_round(struct thread *t)
{
    bool any = false;

    MUST(rt.key_end <= RT_KEYS_MAX);
    for (uint32_t key = 0; key < rt.key_end; key++) {
        void *value = t->keys[key] ? sync_key_get(key) : NULL;

        if (!value)
            continue;
        native_leaves_trace();
        t->keys[key] = NULL;
        if (keys[key].destructor) {
            keys[key].destructor(value);
            any = true;
        }
    }
    return any;
}

void sync_key_destroy_all(void)
{
    struct thread *t = rt_self();

    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++)
        if (!destroy_round(t))
            return;
}

MODEL_IS(int, pthread_key_create,
         (pthread_key_t *key, void (*destructor)(void *)),
         sync_key_create(key, destructor, rt_take_site_known()))
MODEL_IS(int, pthread_key_delete, (pthread_key_t key),
         (rt_take_site_known(), sync_key_delete(key)))
MODEL_IS(void *, pthread_getspecific, (pthread_key_t key),
         (rt_take_site_known_quiet(), sync_key_get(key)))
MODEL_IS(int, pthread_setspecific, (pthread_key_t key, const void *value),
         (rt_take_site_known(), sync_key_set(key, value)))
