/* SPDX-License-Identifier: MIT
 *
 * Semaphores.  Posting is a release, waiting an acquire; the value itself is
 * never buffered, for both are read-modify-writes.  Named semaphores are in a
 * table of the runtime, empty at the start of each execution: what other
 * processes have is none of the program's business here.
 */
#include "sync/sync.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "event/must.h"
#include "runtime/happened.h"

struct semaphore {
    uint32_t value;
};
_Static_assert(sizeof(struct semaphore) <= sizeof(sem_t), "it fits");

#define DESTROYED 0xde520000u /* the value of one that was */
_Static_assert(DESTROYED > SEM_VALUE_MAX, "no other has it");

static struct semaphore *of(sem_t *s)
{
    return (struct semaphore *)(void *)s;
}

static int fail(int error)
{
    errno = error;
    return -1;
}

static void check_usable(const struct semaphore *s, uint32_t site)
{
    if (s->value == DESTROYED)
        rt_fail(FAIL_MISUSE, site, "the semaphore was destroyed");
}

/* ---- Waiting and posting. ---- */

static int take(struct semaphore *s, unsigned flags, uint32_t site)
{
    MUST(s->value);
    rt_touch(s, sizeof *s);
    s->value--;
    rt_acquired(C_WAIT, s);
    happened_object(EV_WAIT, s, sizeof *s, s->value + 1ull, s->value, flags,
                    site);
    rt_event(EV_WAIT, s, sizeof *s, s->value, 0, site);
    return 0;
}

static int not_taken(struct semaphore *s, int error, uint32_t flags,
                     uint32_t site)
{
    sync_left();
    rt_acquire(C_LOCK_FAIL, s);
    rt_acquired(C_LOCK_FAIL, s);
    happened_object(EV_LOCK_FAIL, s, sizeof *s, s->value, s->value,
                    HAPPENED_CAS | HAPPENED_COUNT, site);
    rt_event(EV_LOCK_FAIL, s, sizeof *s, s->value, flags, site);
    sync_polls();
    return fail(error);
}

static bool sem_waits(const struct thread *t, const void *object)
{
    return !((const struct semaphore *)object)->value &&
           !sync_of(t)->cancel_pending;
}

static int wait(sem_t *object, const uint64_t *deadline, uint32_t site)
{
    struct semaphore *s = of(object);

    sync_cancel_point();
    sync_enter_waiting(EV_WAIT, s, sizeof *s, deadline ? NULL : sem_waits,
                       site);
    for (;;) {
        check_usable(s, site);
        rt_acquire(C_WAIT, s);
        if (s->value) {
            sync_left();
            return take(s, deadline ? HAPPENED_CAS : 0, site);
        }
        sync_cancel_point();
        if (!sync_block_cancelable(EV_WAIT, s, deadline, "a semaphore"))
            return not_taken(s, ETIMEDOUT, EVF_TIMED_OUT, site);
        sync_cancel_point();
        sync_look(s, sizeof *s, site);
    }
}

static int wait_until(sem_t *s, clockid_t clock, const struct timespec *when,
                      uint32_t site)
{
    uint64_t deadline;
    int error = sync_deadline(clock, when, site, &deadline);

    return error ? fail(error) : wait(s, &deadline, site);
}

MODEL_IS(int, sem_wait, (sem_t *s), wait(s, NULL, rt_take_site_known()))
MODEL_IS(int, sem_timedwait, (sem_t *s, const struct timespec *when),
         wait_until(s, CLOCK_REALTIME, when, rt_take_site_known()))
MODEL_IS(int, sem_clockwait,
         (sem_t *s, clockid_t clock, const struct timespec *when),
         wait_until(s, clock, when, rt_take_site_known()))

MODEL(int, sem_trywait, (sem_t *object))
{
    uint32_t site = rt_take_site_known_quiet();
    struct semaphore *s = of(object);

    sync_enter(EV_WAIT, s, sizeof *s, site);
    check_usable(s, site);
    rt_acquire(C_LOCK_FAIL, s);
    if (!s->value)
        return not_taken(s, EAGAIN, 0, site);
    rt_acquire(C_WAIT, s);
    return take(s, HAPPENED_CAS, site);
}

MODEL(int, sem_post, (sem_t *object))
{
    uint32_t site = rt_take_site_known();
    struct semaphore *s = of(object);

    sync_enter(EV_POST, s, sizeof *s, site);
    check_usable(s, site);
    rt_acquire(C_POST, s);
    if (s->value >= SEM_VALUE_MAX)
        return fail(EOVERFLOW);
    rt_touch(s, sizeof *s);
    s->value++;
    rt_wake_all(s);
    rt_acquired(C_POST, s);
    happened_object(EV_POST, s, sizeof *s, s->value - 1ull, s->value, 0, site);
    rt_event(EV_POST, s, sizeof *s, s->value, 0, site);
    return 0;
}

MODEL(int, sem_getvalue, (sem_t *object, int *value))
{
    uint32_t site = rt_take_site_known_quiet();
    struct semaphore *s = of(object);
    int now;

    sync_enter(EV_LOAD, s, sizeof *s, site);
    check_usable(s, site);
    now = (int)s->value;
    happened_object(EV_LOAD, s, sizeof *s, s->value, 0, 0, site);
    rt_event(EV_LOAD, s, sizeof s->value, s->value, ORDER_RELAXED, site);
    sync_read(&s->value, sizeof s->value);
    sync_out(value, &now, sizeof now, site);
    return 0;
}

/* ---- Making and unmaking. ---- */

/* Does it wait for the semaphore, or will as soon as it may run?  A strategy
 * that explores lets nobody run who would only wait. */
static bool is_at(const struct thread *t, const struct semaphore *s)
{
    const struct sched_op *op = &t->sched->op;

    if (t->state == THREAD_BLOCKED)
        return t->blocked_on == s;
    return t->state == THREAD_READY && t != rt_self() && !s->value &&
           op->kind == EV_WAIT && op->address == (uint64_t)s;
}

static void check_unwaited(const struct semaphore *s, const char *what,
                           uint32_t site)
{
    for (uint32_t i = 0; i < rt.thread_count; i++)
        if (is_at(&rt.threads[i], s))
            rt_fail(FAIL_MISUSE, site,
                    "a semaphore is %s while thread %u waits for it", what, i);
}

MODEL(int, sem_init, (sem_t *object, int shared, unsigned value))
{
    uint32_t site = rt_take_site_known();
    struct semaphore *s = of(object);

    if (value > SEM_VALUE_MAX)
        return fail(EINVAL);
    sync_look(s, sizeof *s, site);
    check_unwaited(s, "made anew", site);
    rt_touch(s, sizeof *s);
    s->value = value;
    return 0;
}

MODEL(int, sem_destroy, (sem_t *object))
{
    uint32_t site = rt_take_site_known();
    struct semaphore *s = of(object);

    sync_enter(EV_POST, s, sizeof *s, site);
    check_usable(s, site);
    check_unwaited(s, "destroyed", site);
    rt_touch(s, sizeof *s);
    s->value = DESTROYED;
    return 0;
}

/* ---- Names. ---- */

#define NAMED_MAX 64
#define NAME_LONGEST 251 /* without the slash, as in glibc */

struct named {
    sem_t *semaphore; /* in the program's heap, so that reset forgets it */
    uint32_t opened;  /* times, not closed yet */
    bool linked;      /* its name still leads here */
    char name[NAME_LONGEST + 1];
};

static struct named named[NAMED_MAX];
static uint64_t named_execution; /* + 1 */

static struct named *find_named(const char *name)
{
    for (int i = 0; i < NAMED_MAX; i++)
        if (named[i].linked && !strcmp(named[i].name, name))
            return &named[i];
    return NULL;
}

static struct named *find_room(void)
{
    for (int i = 0; i < NAMED_MAX; i++)
        if (!named[i].linked && !named[i].opened)
            return &named[i];
    return NULL;
}

/* The name without its slash, copied; 0, EINVAL or ENAMETOOLONG. */
static int read_name(const char *name, char *to, uint32_t site)
{
    size_t length;

    if (named_execution != rt.serial)
        memset(named, 0, sizeof named);
    named_execution = rt.serial;
    name += *name == '/';
    length = strnlen(name, NAME_LONGEST + 1);
    if (!length || memchr(name, '/', length))
        return EINVAL;
    if (length > NAME_LONGEST)
        return ENAMETOOLONG;
    sync_in(to, name, length + 1, site);
    return 0;
}

static struct named *create(const char *name, unsigned value, uint32_t site)
{
    struct named *n = find_room();

    if (value > SEM_VALUE_MAX || !n) {
        errno = n ? EINVAL : ENFILE;
        return NULL;
    }
    strcpy(n->name, name);
    n->semaphore = rt_malloc(sizeof(sem_t), 16, true, site);
    of(n->semaphore)->value = value;
    n->linked = true;
    return n;
}

MODEL(sem_t *, sem_open, (const char *path, int flags, ...))
{
    uint32_t site = rt_take_site();
    char name[NAME_LONGEST + 1];
    struct named *n;
    unsigned value = 0;
    va_list more;

    va_start(more, flags);
    if (flags & O_CREAT) {
        (void)va_arg(more, int); /* mode */
        value = va_arg(more, unsigned);
    }
    va_end(more);
    rt_step(EV_CALL, NULL, 0, site);
    errno = read_name(path, name, site);
    if (errno)
        return SEM_FAILED;
    n = find_named(name);
    if (n ? (flags & O_CREAT && flags & O_EXCL) : !(flags & O_CREAT)) {
        errno = n ? EEXIST : ENOENT;
        return SEM_FAILED;
    }
    if (!n)
        n = create(name, value, site);
    if (!n)
        return SEM_FAILED;
    n->opened++;
    return n->semaphore;
}

/* Neither opened nor named any more: using it now is use after free. */
static void forget(struct named *n, uint32_t site)
{
    if (!n->opened && !n->linked)
        rt_free(n->semaphore, site);
}

MODEL(int, sem_close, (sem_t *object))
{
    uint32_t site = rt_take_site();

    if (named_execution == rt.serial) {
        for (int i = 0; i < NAMED_MAX; i++) {
            if (object == named[i].semaphore && named[i].opened) {
                named[i].opened--;
                forget(&named[i], site);
                return 0;
            }
        }
    }
    return fail(EINVAL);
}

MODEL(int, sem_unlink, (const char *path))
{
    uint32_t site = rt_take_site();
    char name[NAME_LONGEST + 1];
    struct named *n;
    int error;

    rt_step(EV_CALL, NULL, 0, site);
    error = read_name(path, name, site);
    if (error)
        return fail(error == EINVAL ? ENOENT : error);
    n = find_named(name);
    if (!n)
        return fail(ENOENT);
    n->linked = false;
    forget(n, site);
    return 0;
}
