/* SPDX-License-Identifier: MIT
 *
 * What all models of the thread library need: what a construct does on this
 * model, the way into an operation, the memory its arguments point to, and
 * time.
 *
 * A model works on memory directly, past the store buffer.  That is right for
 * the object's own words, whose stores go through rt_release, but the program
 * may have stored to the same bytes itself a moment ago: memset before
 * pthread_mutex_init, a struct timespec in shared memory.  Those stores are
 * committed first, which every model allows; else they would overwrite ours
 * later, or we would read what was there before them.
 */
#include "sync/sync.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "event/must.h"
#include "libc/libc.h"
#include "runtime/footprint.h"
#include "runtime/happened.h"
#include "runtime/native.h"
#include "runtime/runtime_record.h"
#include "runtime/sched.h"

#define NS 1000000000ull
#define LOOK_NS 1000 /* that a look at the clock takes */
/* Back edges until a lone thread that polls is looked at. */
#define LONE_POLLS 1000

struct model_recipe rt_recipe(enum model_construct construct)
{
    return model_recipe_of(rt.model, construct,
                           rt.channel->flags & CHANNEL_LOCKS_PAPER);
}

uint32_t rt_release_flags(enum model_construct construct)
{
    bool buffers = construct == C_UNLOCK && rt.model->delays_stores &&
                   rt.dense && !(rt_recipe(construct).after & FENCE_FULL);

    return buffers ? EVF_BUFFERED : 0;
}

/* Own plain stores to those bytes reach memory. */
static void settle(const void *address, size_t size)
{
    if (rt_self()->buffered)
        rt_drain_range((uint64_t)address, size);
}

void sync_look(const void *object, size_t size, uint32_t site)
{
    if (native_is_on()) {
        native_look(object, size, site);
        return;
    }
    footprint_change((uint64_t)object, size);
    rt_check_range(object, size, true, site);
    settle(object, size);
}

void sync_enter(enum event_kind kind, void *object, size_t size, uint32_t site)
{
    rt_step(kind, object, (unsigned)size, site);
    sync_look(object, size, site);
}

void sync_enter_waiting(enum event_kind kind, void *object, size_t size,
                        sync_waits_fn *waits, uint32_t site)
{
    struct thread *t = rt_self();

    if (rt.view.footprint && !native_is_on()) {
        rt_check_range(object, size, true, site);
        t->would_wait = waits;
    }
    MUST(size <= UINT8_MAX);
    t->pending.size = (uint8_t)size;
    sync_enter(kind, object, size, site);
}

void sync_left(void)
{
    struct thread *t = rt_self();

    t->would_wait = NULL;
    t->pending = (struct rt_pending){0};
}

bool sync_releases(const struct thread *t, const void *object, size_t size)
{
    for (uint32_t i = 0; i < t->buffered; i++)
        if (t->buffer[i].address - (uint64_t)object < size)
            return true;
    return false;
}

void sync_in(void *to, const void *from, size_t size, uint32_t site)
{
    if (!libc_is_constant(from))
        footprint_read((uint64_t)from, size);
    rt_check_range(from, size, false, site);
    settle(from, size);
    memcpy(to, from, size);
}

void sync_out(void *to, const void *from, size_t size, uint32_t site)
{
    if (native_is_on())
        rt_check_range(to, size, true, site);
    else
        sync_look(to, size, site);
    rt_touch(to, size);
    memcpy(to, from, size);
}

void sync_read(const void *word, unsigned size)
{
    uint64_t value = 0;

    memcpy(&value, word, size);
    record_read(rt_self(), (uint64_t)word, size, value);
}

void sync_changed(void)
{
    record_effect(rt_self());
}

void sync_give_way(void)
{
    rt_self()->sched->spun = true;
}

void sync_polls(void)
{
    if (!rt.multi && __fencer_countdown > LONE_POLLS)
        __fencer_countdown = LONE_POLLS;
}

uint64_t sync_ns(const struct timespec *ts)
{
    if ((uint64_t)ts->tv_sec > UINT64_MAX / NS - 1)
        return UINT64_MAX;
    return (uint64_t)ts->tv_sec * NS + (uint64_t)ts->tv_nsec;
}

int sync_deadline(clockid_t clock, const struct timespec *when, uint32_t site,
                  uint64_t *deadline)
{
    struct timespec ts;

    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    sync_in(&ts, when, sizeof ts, site);
    if (ts.tv_nsec < 0 || ts.tv_nsec >= (long)NS)
        return EINVAL;
    *deadline = ts.tv_sec < 0 ? 0 : sync_ns(&ts);
    return 0;
}

void sync_state(void *state, size_t size, uint32_t site)
{
    if (native_is_on()) {
        native_library(state, size, site);
        native_happened();
    }
    HAPPENED(.kind = EV_RMW, .address = (uint64_t)state, .size = 8,
             .flags = HAPPENED_GHOST, .site = site);
}

/* Who reads the clock says that it changes it, and who moves it on that it
 * reads it: in whatever order time passes twice, it is as late. */
static uint64_t look_at_clock(void)
{
    footprint_change((uint64_t)&rt.clock_ns, sizeof rt.clock_ns);
    return rt.clock_ns;
}

/* It is about to be moved on.  False: nobody looks at it. */
static bool touch_clock(void)
{
    if (native_is_on() && !native_has_trait(TRAIT_LOOKS_AT_CLOCK, false)) {
        native_skips();
        return false;
    }
    sync_state(&rt.clock_ns, sizeof rt.clock_ns, rt_self()->site);
    return true;
}

static void take_turn_at_clock(void)
{
    if (!native_is_on() && rt.dense)
        rt_step(EV_RMW, &rt.clock_ns, sizeof rt.clock_ns, rt_self()->site);
}

uint64_t sync_now(void)
{
    if (native_is_on())
        native_has_trait(TRAIT_LOOKS_AT_CLOCK, true);
    take_turn_at_clock();
    touch_clock();
    look_at_clock();
    rt.clock_ns += LOOK_NS;
    return rt.clock_ns;
}

void sync_pass_time(uint64_t ns)
{
    take_turn_at_clock();
    if (!touch_clock())
        return;
    footprint_read((uint64_t)&rt.clock_ns, sizeof rt.clock_ns);
    if (__builtin_add_overflow(rt.clock_ns, ns, &rt.clock_ns))
        rt.clock_ns = UINT64_MAX;
}

void sync_come_to(uint64_t deadline)
{
    if (!touch_clock())
        return;
    if (deadline > look_at_clock())
        rt.clock_ns = deadline;
}

bool sync_block(enum event_kind kind, const void *object,
                const uint64_t *deadline, const char *words)
{
    /* In a graph it may always be too late, and only the state says. */
    if (!native_is_on() && deadline && *deadline <= look_at_clock())
        return false;
    if (rt_block(kind, object, deadline != NULL, words))
        return true;
    MUST(deadline); /* without one nothing but a wake-up ends it */
    sync_come_to(*deadline);
    return false;
}

const char *sync_words(const char *format, ...)
{
    struct sync_thread *s = sync_of(rt_self());
    va_list arguments;

    va_start(arguments, format);
    rt_format(s->words, sizeof s->words, format, arguments);
    va_end(arguments);
    return s->words;
}

const char *sync_held_by(const char *what, uint32_t owner)
{
    if (!owner)
        return what;
    if (owner == rt_self()->id + 1)
        return sync_words("%s that it holds itself", what);
    return sync_words("%s held by thread %u", what, owner - 1);
}

/* ---- Names of threads in objects. ---- */

uint32_t sync_renamed(uint32_t owner, uint32_t a, uint32_t b)
{
    return owner == a + 1 ? b + 1 : owner == b + 1 ? a + 1 : owner;
}

static bool rename_mutex(void *object, size_t size, uint32_t a, uint32_t b)
{
    struct mutex *m = object;

    if (size != sizeof *m)
        return false;
    m->owner = sync_renamed(m->owner, a, b);
    return true;
}

static bool rename_cond(void *object, size_t size, uint32_t a, uint32_t b)
{
    struct cond *c = object;
    uint64_t both = 1ull << a | 1ull << b;

    if (size != sizeof *c)
        return false;
    if (c->asleep & both && ~c->asleep & both)
        c->asleep ^= both;
    return true;
}

/* Each kind has its own size; semaphores, barriers and what is done once have
 * no names in them. */
void sync_rename(void *object, size_t size, uint32_t a, uint32_t b)
{
    if (!rename_mutex(object, size, a, b) && !rename_cond(object, size, a, b) &&
        !sync_rename_rwlock(object, size, a, b))
        sync_rename_spin(object, size, a, b);
}
