/* SPDX-License-Identifier: MIT
 *
 * Programs with a mistake in their synchronisation, one per argument.  Where
 * there is a right twin it is the same name with a plus sign.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t fair =
    PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t sem;
static int ready;

/* Both functions, each in a thread, to their ends. */
static void together(void *(*f)(void *), void *(*g)(void *))
{
    pthread_t t, u;

    pthread_create(&t, NULL, f, NULL);
    pthread_create(&u, NULL, g, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
}

/* ---- Deadlocks. ---- */

static void *a_then_b(void *argument)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return argument;
}

static void *b_then_a(void *argument)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return argument;
}

static void crossed(void)
{
    together(a_then_b, b_then_a);
}

static void straight(void)
{
    together(a_then_b, a_then_b);
}

static void relock(void)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&a);
}

static void *keep_a(void *argument)
{
    pthread_mutex_lock(&a);
    return argument;
}

static void abandoned(void)
{
    together(keep_a, keep_a);
}

static void *upgrade(void *argument)
{
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_wrlock(&rw);
    return argument;
}

static void upgraded(void)
{
    together(upgrade, upgrade);
}

static void *read_twice(void *argument)
{
    pthread_rwlock_rdlock(argument ? &rw : &fair);
    pthread_rwlock_rdlock(argument ? &rw : &fair);
    pthread_rwlock_unlock(argument ? &rw : &fair);
    pthread_rwlock_unlock(argument ? &rw : &fair);
    return argument;
}

static void *write_fair(void *argument)
{
    pthread_rwlock_wrlock(&fair);
    pthread_rwlock_unlock(&fair);
    return argument;
}

/* A writer that waits between two read locks of one thread. */
static void reader_writer(void)
{
    together(read_twice, write_fair);
}

static void *respin(void *argument)
{
    pthread_spin_lock(&spin);
    pthread_spin_lock(&spin);
    return argument;
}

static void spun(void)
{
    pthread_spin_init(&spin, 0);
    together(respin, respin);
}

static void nested_once(void)
{
    pthread_once(&once, nested_once);
}

/* ---- Waits that nobody ends. ---- */

static void *signal_ready(void *argument)
{
    pthread_mutex_lock(&a);
    ready = 1;
    pthread_mutex_unlock(&a);
    pthread_cond_signal(&c);
    return argument;
}

static void *wait_blindly(void *argument)
{
    pthread_mutex_lock(&a);
    pthread_cond_wait(&c, &a);
    pthread_mutex_unlock(&a);
    return argument;
}

static void *wait_ready(void *argument)
{
    pthread_mutex_lock(&a);
    while (!ready)
        pthread_cond_wait(&c, &a);
    pthread_mutex_unlock(&a);
    return argument;
}

static void lost(void)
{
    together(wait_blindly, signal_ready);
}

static void kept(void)
{
    together(wait_ready, signal_ready);
}

static void *wait_with_other(void *argument)
{
    wait_ready(argument);
    return argument;
}

/* One signal for two waiters. */
static void one_signal(void)
{
    pthread_t t;

    pthread_create(&t, NULL, signal_ready, NULL);
    together(wait_ready, wait_with_other);
    pthread_join(t, NULL);
}

static void *take_sem(void *argument)
{
    sem_wait(&sem);
    return argument;
}

static void too_few_posts(void)
{
    sem_init(&sem, 0, 1);
    together(take_sem, take_sem);
}

static void *at_barrier(void *argument)
{
    pthread_barrier_wait(&barrier);
    return argument;
}

static void too_few_arrive(void)
{
    pthread_barrier_init(&barrier, NULL, 3);
    together(at_barrier, at_barrier);
}

static void try_for_ever(void)
{
    pthread_mutex_lock(&a);
    while (pthread_mutex_trylock(&a))
        ;
}

static void sleep_for_ever(void)
{
    while (!*(volatile int *)&ready)
        usleep(10);
}

/* ---- Polling and staying that are no mistake. ---- */

static void *poll(void *argument)
{
    int there = 0;

    while (!there) {
        pthread_mutex_lock(&a);
        there = ready;
        pthread_mutex_unlock(&a);
    }
    return argument;
}

static void polled(void)
{
    together(poll, signal_ready);
}

static void *sleep_on(void *argument)
{
    for (;;)
        sleep(1);
    return argument;
}

static void *yield_on(void *argument)
{
    for (;;)
        sched_yield();
    return argument;
}

/* The end of main is the end of them. */
static void outlived(void)
{
    pthread_t t;

    pthread_create(&t, NULL, sleep_on, NULL);
    pthread_create(&t, NULL, yield_on, NULL);
    pthread_create(&t, NULL, wait_ready, NULL);
    pthread_create(&t, NULL, signal_ready, NULL);
    poll(NULL);
}

/* ---- Misuse. ---- */

static void unlock_unlocked(void)
{
    pthread_mutex_unlock(&a);
}

static void unlock_twice(void)
{
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&a);
}

static void *unlock_a(void *argument)
{
    pthread_mutex_unlock(&a);
    return argument;
}

static void *lock_and_stay(void *argument)
{
    pthread_mutex_lock(&a);
    while (!__atomic_load_n(&ready, __ATOMIC_RELAXED))
        sched_yield();
    return argument;
}

static void unlock_of_other(void)
{
    together(lock_and_stay, unlock_a);
}

static void wait_unlocked(void)
{
    pthread_cond_wait(&c, &a);
}

static void rw_unlock_unlocked(void)
{
    pthread_rwlock_unlock(&rw);
}

static void spin_unlock_unlocked(void)
{
    pthread_spin_init(&spin, 0);
    pthread_spin_unlock(&spin);
}

static void *say_and_wait(void *argument)
{
    pthread_mutex_lock(&a);
    ready = 1;
    pthread_cond_wait(&c, &a);
    pthread_mutex_unlock(&a);
    return argument;
}

static void *destroy_when_told(void *argument)
{
    int there = 0;

    while (!there) {
        pthread_mutex_lock(&a);
        there = ready;
        pthread_mutex_unlock(&a);
        sched_yield();
    }
    pthread_cond_destroy(&c);
    return argument;
}

static void destroy_awaited(void)
{
    together(say_and_wait, destroy_when_told);
}

static void no_barrier(void)
{
    pthread_barrier_wait(&barrier);
}

static void lock_freed(void)
{
    pthread_mutex_t *m = calloc(1, sizeof *m);

    free(m);
    pthread_mutex_lock(m);
}

static void lock_null(void)
{
    pthread_mutex_t *volatile m = NULL;

    pthread_mutex_lock(m);
}

/* ---- A mutex at the wrong time. ---- */

static void *hold_a_while(void *argument)
{
    pthread_mutex_lock(&a);
    sched_yield();
    pthread_mutex_unlock(&a);
    return argument;
}

static void *destroy_a(void *argument)
{
    pthread_mutex_destroy(&a);
    return argument;
}

static void destroy_held(void)
{
    pthread_mutex_lock(&a);
    together(destroy_a, destroy_a);
}

static void destroy_rw(void)
{
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_destroy(&rw);
}

static void destroy_spin(void)
{
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&spin);
    pthread_spin_destroy(&spin);
}

static void use_destroyed(void)
{
    pthread_mutex_destroy(&a);
    together(a_then_b, a_then_b);
}

static void *init_a(void *argument)
{
    pthread_mutex_init(&a, NULL);
    return argument;
}

static void init_held(void)
{
    together(hold_a_while, init_a);
}

static void init_again(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&a, NULL);
        together(hold_a_while, hold_a_while);
        pthread_mutex_destroy(&a);
    }
}

static mtx_t plain;

static void destroy_locked(void)
{
    mtx_init(&plain, mtx_plain);
    mtx_lock(&plain);
    mtx_destroy(&plain);
}

/* ---- Other objects at the wrong time. ---- */

static void wait_for_ready(void)
{
    while (!__atomic_load_n(&ready, __ATOMIC_RELAXED))
        sched_yield();
}

static void say_ready(void)
{
    __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
}

static void *read_a_while(void *argument)
{
    pthread_rwlock_rdlock(&rw);
    sched_yield();
    pthread_rwlock_unlock(&rw);
    return argument;
}

static void *init_rw(void *argument)
{
    pthread_rwlock_init(&rw, NULL);
    return argument;
}

static void rw_init_held(void)
{
    together(read_a_while, init_rw);
}

static void rw_use_destroyed(void)
{
    pthread_rwlock_destroy(&rw);
    together(read_a_while, read_a_while);
}

static void *read_and_stay(void *argument)
{
    pthread_rwlock_rdlock(&rw);
    say_ready();
    return argument;
}

static void *unlock_rw(void *argument)
{
    wait_for_ready();
    pthread_rwlock_unlock(&rw);
    return argument;
}

static void rw_unlock_of_other(void)
{
    together(read_and_stay, unlock_rw);
}

static void *init_when_told(void *argument)
{
    int there = 0;

    while (!there) {
        pthread_mutex_lock(&a);
        there = ready;
        pthread_mutex_unlock(&a);
        sched_yield();
    }
    pthread_cond_init(&c, NULL);
    pthread_cond_signal(&c);
    return argument;
}

static void cond_init_awaited(void)
{
    together(say_and_wait, init_when_told);
}

static void cond_use_destroyed(void)
{
    pthread_cond_destroy(&c);
    together(signal_ready, signal_ready);
}

static void *say_and_take(void *argument)
{
    say_ready();
    sem_wait(&sem);
    return argument;
}

static void *init_sem(void *argument)
{
    wait_for_ready();
    sem_init(&sem, 0, 1);
    return argument;
}

static void sem_init_awaited(void)
{
    sem_init(&sem, 0, 0);
    together(say_and_take, init_sem);
}

static void sem_use_destroyed(void)
{
    sem_init(&sem, 0, 1);
    sem_destroy(&sem);
    together(take_sem, take_sem);
}

static void *spin_a_while(void *argument)
{
    pthread_spin_lock(&spin);
    sched_yield();
    pthread_spin_unlock(&spin);
    return argument;
}

static void *init_spin(void *argument)
{
    pthread_spin_init(&spin, 0);
    return argument;
}

static void spin_init_held(void)
{
    pthread_spin_init(&spin, 0);
    together(spin_a_while, init_spin);
}

static void spin_use_destroyed(void)
{
    pthread_spin_init(&spin, 0);
    pthread_spin_destroy(&spin);
    together(spin_a_while, spin_a_while);
}

static void *say_and_arrive(void *argument)
{
    say_ready();
    pthread_barrier_wait(&barrier);
    return argument;
}

static void *init_barrier(void *argument)
{
    wait_for_ready();
    pthread_barrier_init(&barrier, NULL, 1);
    return argument;
}

static void barrier_init_awaited(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    together(say_and_arrive, init_barrier);
}

static void barrier_use_destroyed(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_barrier_destroy(&barrier);
    together(at_barrier, at_barrier);
}

/* The waiter may not have gone on yet: POSIX allows it. */
static void *broadcast_and_destroy(void *argument)
{
    signal_ready(NULL);
    pthread_mutex_lock(&a);
    pthread_cond_broadcast(&c);
    pthread_cond_destroy(&c);
    pthread_mutex_unlock(&a);
    return argument;
}

static void use_all(void)
{
    together(read_a_while, read_a_while);
    together(spin_a_while, spin_a_while);
    together(take_sem, take_sem);
    together(at_barrier, at_barrier);
    ready = 0;
    together(wait_ready, broadcast_and_destroy);
}

/* All of them, made and unmade and made again. */
static void all_again(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_rwlock_init(&rw, NULL);
        pthread_spin_init(&spin, 0);
        sem_init(&sem, 0, 2);
        pthread_barrier_init(&barrier, NULL, 2);
        pthread_cond_init(&c, NULL);
        use_all();
        pthread_rwlock_destroy(&rw);
        pthread_spin_destroy(&spin);
        sem_destroy(&sem);
        pthread_barrier_destroy(&barrier);
    }
}

/* What they are made of was something else before. */
static void all_in_old_memory(void)
{
    uint32_t garbage = 0x10001;

    for (size_t i = 0; i + sizeof garbage <= sizeof rw; i += sizeof garbage) {
        memcpy((char *)&rw + i, &garbage, sizeof garbage);
        if (i < sizeof c)
            memcpy((char *)&c + i, &garbage, sizeof garbage);
        if (i < sizeof barrier)
            memcpy((char *)&barrier + i, &garbage, sizeof garbage);
        garbage = 1;
    }
    memcpy((void *)(uintptr_t)&spin, &garbage, sizeof spin);
    all_again();
}

/* ---- Choices that the scheduler must try both ways. ---- */

static int outcome;

static void *timed(void *argument)
{
    struct timespec ts;

    clock_gettime(CLOCK_REALTIME, &ts);
    ts.tv_sec++;
    pthread_mutex_lock(&a);
    if (!ready)
        outcome = pthread_cond_timedwait(&c, &a, &ts);
    pthread_mutex_unlock(&a);
    return argument;
}

static void never_times_out(void)
{
    outcome = -1;
    together(timed, signal_ready);
    assert(outcome != ETIMEDOUT);
}

static void never_signalled(void)
{
    outcome = -1;
    together(timed, signal_ready);
    assert(outcome != 0);
}

static int first_woken;

static void *wait_turn(void *number)
{
    pthread_mutex_lock(&a);
    ready++;
    pthread_cond_wait(&c, &a);
    if (!first_woken)
        first_woken = (int)(intptr_t)number;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&a);
    return NULL;
}

/* Signals go to any waiter: not always to the one who came first. */
static void not_fifo(void)
{
    pthread_t t, u;
    int waiting = 0;

    pthread_create(&t, NULL, wait_turn, (void *)1);
    while (waiting < 2) {
        pthread_mutex_lock(&a);
        if (ready == 1 && waiting == 0) {
            pthread_create(&u, NULL, wait_turn, (void *)2);
            waiting = 1;
        }
        if (ready == 2)
            waiting = 2;
        pthread_mutex_unlock(&a);
        sched_yield();
    }
    pthread_cond_signal(&c);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(first_woken == 1);
}

/* ---- What cannot be run. ---- */

static void *stay(void *argument)
{
    wait_ready(argument);
    return argument;
}

static void kill_thread(void)
{
    pthread_t t;

    pthread_create(&t, NULL, stay, NULL);
    pthread_kill(t, SIGUSR1);
}

static void too_many_threads(void)
{
    pthread_t t;

    for (int i = 0; i < 5000; i++)
        assert(!pthread_create(&t, NULL, stay, NULL));
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"crossed", crossed},
    {"crossed+", straight},
    {"relock", relock},
    {"abandoned", abandoned},
    {"upgraded", upgraded},
    {"reader-writer", reader_writer},
    {"spun", spun},
    {"nested-once", nested_once},
    {"lost", lost},
    {"lost+", kept},
    {"one-signal", one_signal},
    {"too-few-posts", too_few_posts},
    {"too-few-arrive", too_few_arrive},
    {"try-for-ever", try_for_ever},
    {"sleep-for-ever", sleep_for_ever},
    {"polled+", polled},
    {"outlived+", outlived},
    {"unlock-unlocked", unlock_unlocked},
    {"unlock-twice", unlock_twice},
    {"unlock-of-other", unlock_of_other},
    {"wait-unlocked", wait_unlocked},
    {"rw-unlock-unlocked", rw_unlock_unlocked},
    {"spin-unlock-unlocked", spin_unlock_unlocked},
    {"destroy-awaited", destroy_awaited},
    {"no-barrier", no_barrier},
    {"lock-freed", lock_freed},
    {"lock-null", lock_null},
    {"destroy-locked", destroy_locked},
    {"destroy-held", destroy_held},
    {"destroy-rw", destroy_rw},
    {"destroy-spin", destroy_spin},
    {"use-destroyed", use_destroyed},
    {"rw-init-held", rw_init_held},
    {"rw-use-destroyed", rw_use_destroyed},
    {"rw-unlock-of-other", rw_unlock_of_other},
    {"cond-init-awaited", cond_init_awaited},
    {"cond-use-destroyed", cond_use_destroyed},
    {"sem-init-awaited", sem_init_awaited},
    {"sem-use-destroyed", sem_use_destroyed},
    {"spin-init-held", spin_init_held},
    {"spin-use-destroyed", spin_use_destroyed},
    {"barrier-init-awaited", barrier_init_awaited},
    {"barrier-use-destroyed", barrier_use_destroyed},
    {"all-again+", all_again},
    {"all-in-old-memory+", all_in_old_memory},
    {"init-held", init_held},
    {"init-held+", init_again},
    {"never-times-out", never_times_out},
    {"never-signalled", never_signalled},
    {"not-fifo", not_fifo},
    {"kill-thread", kill_thread},
    {"too-many-threads", too_many_threads},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++) {
        if (!strcmp(argv[1], cases[i].name)) {
            cases[i].run();
            return 0;
        }
    }
    return 99;
}
