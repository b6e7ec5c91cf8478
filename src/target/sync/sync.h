/* SPDX-License-Identifier: MIT
 *
 * The modelled thread library: what its files share, and the models
 * themselves, one for every MODELLED row of event/externs-threads.def.
 *
 * The state of an object lives in the program's own pthread_mutex_t, sem_t, ...
 * so that reset, copies and static initialisers need no care.  Only what glibc
 * fixes is where glibc has it.  Two views of a lock's word exist: `lock` is
 * what memory says, and changes when the unlocking store leaves the buffer;
 * `owner` is what the owner itself knows, and changes at once.
 *
 * Waiting threads keep no list: they are blocked on the object's address.
 */
#ifndef SYNC_SYNC_H
#define SYNC_SYNC_H

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#ifndef __FENCER__
#define __FENCER__ 1
#endif
#include "runtime/modelled.h"
#include "runtime/rt.h"
#include <fencer.h>

/* ---- Entering an operation, and the caller's other memory.  sync.c ---- */

/* The scheduling point of an operation on `object`.  A finding if that is no
 * memory of the program.  On return the caller's own plain stores to the
 * object are in memory (it was initialised by assignment or memset, say). */
void sync_enter(enum event_kind kind, void *object, size_t size, uint32_t site);
/* The same without the scheduling point: initialisation, attributes. */
void sync_look(const void *object, size_t size, uint32_t site);

/* The same for an operation that may have to wait: a strategy that asks learns
 * beforehand whether it would.  sync_left ends that; until then it holds for
 * every time that the operation looks again. */
typedef bool sync_waits_fn(const struct thread *t, const void *object);
void sync_enter_waiting(enum event_kind kind, void *object, size_t size,
                        sync_waits_fn *waits, uint32_t site);
void sync_left(void);

/* Comes to state of the libraries that is no memory of the program: the step
 * under way reads it, and may change it at once. */
void sync_state(void *state, size_t size, uint32_t site);
/* Is an unlock of that object on its way, in that thread's buffer? */
bool sync_releases(const struct thread *t, const void *object, size_t size);

/* Read an argument that is passed by address; write a result so. */
void sync_in(void *to, const void *from, size_t size, uint32_t site);
void sync_out(void *to, const void *from, size_t size, uint32_t site);

/* For spin loops (THREAD_AWAITS).  A call that took its site by
 * rt_take_site_quiet, and whose rt_event does not say it all, says what it did:
 * it found that in the object, or it changed something. */
void sync_read(const void *word, unsigned size);
void sync_changed(void);
/* The call polls: a thread that is alone had better be looked at soon, for
 * nobody is left to give it what it waits for. */
void sync_polls(void);
/* A hint to the strategy: others should run before this thread goes on. */
void sync_give_way(void);

/* ---- Time. ---- */

/* Nanoseconds of a time that is not negative; at most UINT64_MAX. */
uint64_t sync_ns(const struct timespec *ts);
/* An absolute time of that clock; all clocks show rt.clock_ns.  0 or EINVAL. */
int sync_deadline(clockid_t clock, const struct timespec *when, uint32_t site,
                  uint64_t *deadline);
void sync_pass_time(uint64_t ns);
/* The time that was waited for has come. */
void sync_come_to(uint64_t deadline);
/* What the clock shows, a little later than before. */
uint64_t sync_now(void);

/* rt_block until `deadline`, or for ever if that is NULL.  False: it is past,
 * and virtual time is there. */
bool sync_block(enum event_kind kind, const void *object,
                const uint64_t *deadline, const char *words);

/* What the running thread waits for, in words that last until it waits again.
 * The second when `owner` (id + 1, 0: not known) has it: "a mutex held by
 * thread 2". */
const char *sync_words(const char *format, ...);
const char *sync_held_by(const char *what, uint32_t owner);

/* ---- Threads.  sync_thread.c ---- */

/* What the thread library knows of a thread beyond struct thread. */
struct sync_thread {
    uint64_t execution; /* it belongs to, + 1 */
    bool cancel_pending, cancel_disabled, cancelable;
    bool cancel_anywhere; /* asynchronous cancellation */
    uint64_t joined;      /* in a graph: by it, a bit a thread */
    uint32_t read_locks;  /* that it holds */
    int policy, priority;
    uint64_t processors; /* that it may run on, a bit each; 0: all */
    size_t stack_size;
    struct mutex *robust; /* held, newest first */
    sigset_t mask, pending;
    char name[16];
    char words[48]; /* what it waits for */
};
struct sync_thread *sync_of(const struct thread *t);

/* How many processors there are, and which one the running thread is on. */
#define SYNC_PROCESSORS 4
unsigned sync_processor(void);

pthread_t sync_handle(const struct thread *t);
/* The number of that thread, from 1, whether it is here or not. */
uint32_t sync_number(pthread_t handle);
/* NULL: no such thread, or it was joined. */
struct thread *sync_find(pthread_t handle);
/* The site of a call about that thread.  What the running thread keeps about
 * itself is all that such a call touches; about another one it may be anything.
 */
uint32_t sync_take_site_about(pthread_t handle);

int sync_create(pthread_t *handle, const pthread_attr_t *attr,
                void *(*start)(void *), int (*start_c11)(void *),
                void *argument, uint32_t site);
int sync_join(pthread_t handle, void **result, const uint64_t *deadline,
              uint32_t site);
int sync_detach(pthread_t handle);

/* The running thread ends: cleanup handlers, destructors, and away. */
_Noreturn void sync_exit(void *result);

/* ---- Cancellation.  sync_cancel.c ---- */

/* What pthread_cleanup_push keeps, laid over its __pthread_unwind_buf_t; the
 * runtime's own handlers have `run` instead of a place to jump to. */
struct rt_cleanup {
    struct __cancel_jmp_buf_tag jump[1];
    struct rt_cleanup *older;
    void (*run)(void *object);
    void *object;
};

void sync_cleanup_push(struct rt_cleanup *c, void (*run)(void *), void *object);
void sync_cleanup_pop(struct rt_cleanup *c);
/* Runs the handlers, newest first, then ends the thread. */
_Noreturn void sync_unwind(void);

bool sync_cancelled(void); /* pending, and enabled */
/* Ends the running thread if somebody cancelled it. */
void sync_cancel_point(void);
/* sync_block that pthread_cancel ends; the caller asks sync_cancelled. */
bool sync_block_cancelable(enum event_kind kind, const void *object,
                           const uint64_t *deadline, const char *words);

/* ---- The objects. ---- */

/* What an object in use has in it, and other bytes at that address hardly by
 * chance: it may lie where another variable lay before. */
static inline uint32_t sync_seal(const void *object)
{
    return (uint32_t)((uint64_t)object * 0x9e3779b97f4a7c15ull >> 32) | 1;
}

/* In the bytes of one of them, threads a and b change their names. */
void sync_rename(void *object, size_t size, uint32_t a, uint32_t b);
/* The same for who holds it: id + 1, or 0. */
uint32_t sync_renamed(uint32_t owner, uint32_t a, uint32_t b);
bool sync_rename_rwlock(void *object, size_t size, uint32_t a, uint32_t b);
bool sync_rename_spin(void *object, size_t size, uint32_t a, uint32_t b);

/* A kind of mutex, and a pthread_mutexattr_t: a type and these bits, with
 * glibc's numbers; attributes have the priority ceiling above them. */
enum mutex_kind {
    MUTEX_TYPE = 0x03,
    MUTEX_ROBUST = 0x10,
    MUTEX_PROTOCOL_SHIFT = 5,
    MUTEX_PROTOCOL = 3 << MUTEX_PROTOCOL_SHIFT,
    MUTEX_SHARED = 0x80,
    MUTEX_KNOWN = MUTEX_TYPE | MUTEX_ROBUST | MUTEX_PROTOCOL | MUTEX_SHARED,
    MUTEX_CEILING_SHIFT = 8
};

struct mutex {
    uint32_t lock;  /* memory's view: 1 is taken */
    uint32_t count; /* of recursive locks */
    uint32_t owner; /* id + 1, as the owner sees it; 0: nobody's */
    uint32_t state; /* enum mutex_state, of robust ones */
    int32_t kind;   /* glibc's place and numbers */
    uint32_t ceiling;
    struct mutex *next; /* in sync_thread.robust */
    uint32_t hungry;    /* somebody missed it again and again */
};

void sync_mutex_init(struct mutex *m, int kind, uint32_t site);
int sync_mutex_destroy(struct mutex *m, uint32_t site);
int sync_mutex_lock(struct mutex *m, const uint64_t *deadline, uint32_t site);
int sync_mutex_lock_until(struct mutex *m, clockid_t clock,
                          const struct timespec *when, uint32_t site);
int sync_mutex_trylock(struct mutex *m, uint32_t site);
/* `who` is the function the program called, for the finding. */
int sync_mutex_unlock(struct mutex *m, const char *who, uint32_t site);
/* May the running thread give it away?  0, an error, or a finding. */
int sync_mutex_check_held(const struct mutex *m, const char *who,
                          uint32_t site);
/* The halves of a condition wait: no scheduling point of their own.  The
 * depth of a recursive lock goes from one to the other. */
uint32_t sync_mutex_let_go(struct mutex *m, uint32_t site);
int sync_mutex_retake(struct mutex *m, uint32_t depth, uint32_t site);
/* Would that thread have to wait for it? */
bool sync_mutex_waits(const struct thread *t, const struct mutex *m);
/* A thread that ends leaves its robust mutexes to the next. */
void sync_mutex_orphan(struct thread *t);

struct cond {
    uint32_t waiters; /* at least as many as there are */
    uint32_t clock;   /* of timedwait */
    uint64_t asleep;  /* in a graph: who waits, a bit a thread */
    uint32_t seal;    /* sync_seal, once that was set */
};

int sync_cond_init(struct cond *c, clockid_t clock, uint32_t site);
int sync_cond_destroy(struct cond *c, uint32_t site);
int sync_cond_wait(struct cond *c, struct mutex *m, const uint64_t *deadline,
                   const char *who, uint32_t site);
int sync_cond_wait_until(struct cond *c, struct mutex *m, clockid_t clock,
                         const struct timespec *when, const char *who,
                         uint32_t site);
int sync_cond_wake(struct cond *c, bool all, uint32_t site); /* 0 */

/* Futexes.  0, EAGAIN, ETIMEDOUT or EINVAL; how many were woken. */
int sync_futex_wait(const uint32_t *word, uint32_t expected,
                    const uint64_t *deadline, uint32_t site);
uint32_t sync_futex_wake(const uint32_t *word, uint32_t count, uint32_t site);
/* Is that the runtime's own record of one?  They are as new. */
bool sync_is_futex(const void *object);
void sync_forget_futexes(void);

/* In a graph: the running thread sleeps until it is woken; wakes those of a
 * set of threads; the n-th of such a set. */
bool sync_sleep_in_graph(bool timed, const char *words, uint32_t site);
void sync_wake_in_graph(uint64_t threads, bool without_others, uint32_t site);
uint32_t sync_nth(uint64_t threads, uint32_t n);

void sync_once(int *control, void (*routine)(void), uint32_t site);

int sync_key_create(uint32_t *key, void (*destructor)(void *), uint32_t site);
int sync_key_delete(uint32_t key);
void *sync_key_get(uint32_t key);
int sync_key_set(uint32_t key, const void *value);
/* The running thread ends: its destructors, in rounds. */
void sync_key_destroy_all(void);

void sync_yield(uint32_t site);
/* Relative sleep, a cancellation point. */
void sync_sleep(uint64_t ns, uint32_t site);

#endif
