/* SPDX-License-Identifier: MIT
 *
 * Threads, their ends, what belongs to them, and the errors POSIX names.  Every
 * assertion holds in every execution on every model.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int shared;
static pthread_t main_thread;

static void *add(void *argument)
{
    assert(!pthread_equal(pthread_self(), main_thread));
    shared += (int)(intptr_t)argument;
    return (void *)((intptr_t)argument * 2);
}

/* Three ways to ask for it, as allocators do. */
static void *thread_pointer(void *unused)
{
    void *pointer = __builtin_thread_pointer(), *zero, *offset;

    (void)unused;
    __asm__("movq %%fs:0, %0" : "=r"(zero));
    __asm__("movq %%fs:%1, %0" : "=r"(offset) : "m"(*((void **)0)));
    assert(pointer && zero == pointer && offset == pointer);
    return pointer;
}

static void thread_pointers_differ(void)
{
    pthread_t t;
    void *other = NULL;

    assert(!pthread_create(&t, NULL, thread_pointer, NULL));
    assert(!pthread_join(t, &other));
    assert(other != thread_pointer(NULL));
}

static void a_join_gives_the_result_and_orders_memory(void)
{
    pthread_t t;
    void *result = NULL;

    shared = 1;
    assert(!pthread_create(&t, NULL, add, (void *)20));
    assert(!pthread_join(t, &result));
    assert((intptr_t)result == 40);
    assert(shared == 21);
    assert(pthread_join(t, NULL) == ESRCH);
    assert(pthread_detach(t) == ESRCH);
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *through_gate(void *argument)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return argument;
}

static struct timespec in_ms(clockid_t clock, long ms)
{
    struct timespec ts;

    clock_gettime(clock, &ts);
    ts.tv_nsec += ms * 1000000;
    ts.tv_sec += ts.tv_nsec / 1000000000;
    ts.tv_nsec %= 1000000000;
    return ts;
}

static void joins_that_do_not_wait(void)
{
    pthread_t t;
    void *result = NULL;
    struct timespec soon;

    pthread_mutex_lock(&gate);
    assert(!pthread_create(&t, NULL, through_gate, &shared));
    assert(pthread_tryjoin_np(t, NULL) == EBUSY);
    soon = in_ms(CLOCK_REALTIME, 1);
    assert(pthread_timedjoin_np(t, NULL, &soon) == ETIMEDOUT);
    soon = in_ms(CLOCK_MONOTONIC, 1);
    assert(pthread_clockjoin_np(t, NULL, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
    pthread_mutex_unlock(&gate);
    while (pthread_tryjoin_np(t, &result) == EBUSY)
        sched_yield();
    assert(result == &shared);
}

static pthread_t joined_by_two;

static void *join_it(void *argument)
{
    (void)argument;
    return (void *)(intptr_t)pthread_join(joined_by_two, NULL);
}

static void joins_that_cannot_be(void)
{
    pthread_t t;

    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    assert(pthread_join((pthread_t)12345, NULL) == ESRCH);
    assert(!pthread_create(&t, NULL, add, NULL));
    assert(!pthread_detach(t));
    /* Either it is still there and detached, or it is gone. */
    int error = pthread_join(t, NULL);
    assert(error == EINVAL || error == ESRCH);
    error = pthread_detach(t);
    assert(error == EINVAL || error == ESRCH);
}

static void only_one_thread_joins(void)
{
    pthread_t a, b;
    void *ra, *rb;

    pthread_mutex_lock(&gate);
    pthread_create(&joined_by_two, NULL, through_gate, NULL);
    pthread_create(&a, NULL, join_it, NULL);
    pthread_create(&b, NULL, join_it, NULL);
    pthread_mutex_unlock(&gate);
    pthread_join(a, &ra);
    pthread_join(b, &rb);
    assert((!ra) != (!rb));
    intptr_t loser = (intptr_t)ra + (intptr_t)rb;
    assert(loser == EINVAL || loser == ESRCH);
}

static void *join_main(void *argument)
{
    (void)argument;
    return (void *)(intptr_t)pthread_join(main_thread, NULL);
}

static void two_that_join_each_other_are_told(void)
{
    pthread_t t;
    void *result;
    struct timespec soon = in_ms(CLOCK_REALTIME, 5);
    int mine;

    pthread_create(&t, NULL, join_main, NULL);
    mine = pthread_timedjoin_np(t, &result, &soon);
    if (mine == EDEADLK || mine == ETIMEDOUT) {
        /* It waits for us, or will: cancellation ends that. */
        assert(!pthread_cancel(t));
        while ((mine = pthread_join(t, &result)) == EDEADLK)
            sched_yield();
    }
    assert(mine == 0);
    assert((intptr_t)result == EDEADLK || result == PTHREAD_CANCELED);
}

/* ---- Attributes. ---- */

static void *report_detached(void *argument)
{
    pthread_attr_t attr;
    int state;

    assert(!pthread_getattr_np(pthread_self(), &attr));
    assert(!pthread_attr_getdetachstate(&attr, &state));
    *(int *)argument = state;
    return NULL;
}

static void attributes_are_kept(void)
{
    pthread_attr_t attr;
    struct sched_param param = {0};
    size_t size = 0;
    void *stack = NULL;
    int n = -1, state = -1;
    pthread_t t;

    assert(!pthread_attr_init(&attr));
    assert(!pthread_attr_getdetachstate(&attr, &n));
    assert(n == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&attr, 77) == EINVAL);
    assert(pthread_attr_setstacksize(&attr, 100) == EINVAL);
    assert(!pthread_attr_setstacksize(&attr, 1 << 20));
    assert(!pthread_attr_getstacksize(&attr, &size) && size == 1 << 20);
    assert(!pthread_attr_setguardsize(&attr, 8192));
    assert(!pthread_attr_getguardsize(&attr, &size) && size == 8192);
    assert(pthread_attr_setschedpolicy(&attr, 99) == EINVAL);
    assert(!pthread_attr_setschedpolicy(&attr, SCHED_FIFO));
    assert(!pthread_attr_getschedpolicy(&attr, &n) && n == SCHED_FIFO);
    param.sched_priority = 7;
    assert(!pthread_attr_setschedparam(&attr, &param));
    param.sched_priority = 0;
    assert(!pthread_attr_getschedparam(&attr, &param));
    assert(param.sched_priority == 7);
    assert(!pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED));
    assert(!pthread_attr_getinheritsched(&attr, &n));
    assert(n == PTHREAD_EXPLICIT_SCHED);
    assert(pthread_attr_setscope(&attr, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
    assert(!pthread_create(&t, &attr, report_detached, &state));
    assert(!pthread_join(t, NULL));
    assert(state == PTHREAD_CREATE_JOINABLE);
    assert(!pthread_attr_destroy(&attr));
    assert(!pthread_getattr_np(pthread_self(), &attr));
    assert(!pthread_attr_getstack(&attr, &stack, &size));
    assert((char *)&size > (char *)stack);
    assert((char *)&size < (char *)stack + size);
}

static int detached_state = -1;

static void *detached_starter(void *argument)
{
    pthread_attr_t attr;
    pthread_t t;

    (void)argument;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    assert(!pthread_create(&t, &attr, report_detached, &detached_state));
    int error = pthread_join(t, NULL);
    assert(error == EINVAL || error == ESRCH);
    return NULL;
}

static void a_thread_can_be_born_detached(void)
{
    pthread_t t;

    pthread_create(&t, NULL, detached_starter, NULL);
    pthread_join(t, NULL);
}

static void names_and_settings(void)
{
    char name[16] = "";
    cpu_set_t set;
    clockid_t clock;

    assert(!pthread_setname_np(pthread_self(), "worker"));
    assert(pthread_setname_np(pthread_self(), "much too long for it") ==
           ERANGE);
    assert(!pthread_getname_np(pthread_self(), name, sizeof name));
    assert(!strcmp(name, "worker"));
    assert(pthread_getname_np(pthread_self(), name, 3) == ERANGE);
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    assert(!pthread_setaffinity_np(pthread_self(), sizeof set, &set));
    CPU_ZERO(&set);
    assert(!pthread_getaffinity_np(pthread_self(), sizeof set, &set));
    assert(CPU_COUNT(&set) == 1);
    assert(!pthread_getcpuclockid(pthread_self(), &clock));
    assert(!pthread_setconcurrency(3) && pthread_getconcurrency() == 3);
    assert(pthread_setconcurrency(-1) == EINVAL);
    assert(!pthread_atfork(NULL, NULL, NULL));
    assert(!pthread_kill(pthread_self(), 0));
    assert(pthread_kill(pthread_self(), -1) == EINVAL);
}

static int handled;

static void handle(int number)
{
    handled = number;
}

static void signal_masks(void)
{
    sigset_t set, old;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(!pthread_sigmask(SIG_BLOCK, &set, NULL));
    assert(!pthread_sigmask(SIG_SETMASK, NULL, &old));
    assert(sigismember(&old, SIGUSR1));
    assert(!pthread_sigmask(SIG_UNBLOCK, &set, &old));
    assert(!pthread_sigmask(SIG_BLOCK, NULL, &old));
    assert(!sigismember(&old, SIGUSR1));
    assert(pthread_sigmask(99, &set, NULL) == EINVAL);
    signal(SIGUSR1, handle);
    assert(!pthread_kill(pthread_self(), SIGUSR1));
    assert(handled == SIGUSR1);
}

/* ---- Leaving: handlers and destructors. ---- */

static char order[16];

static void note(void *letter)
{
    strncat(order, letter, 1);
}

static void deep(int how)
{
    pthread_cleanup_push(note, "c");
    if (how)
        pthread_exit("left");
    pthread_cleanup_pop(1);
}

static void *leaves(void *how)
{
    pthread_cleanup_push(note, "a");
    pthread_cleanup_push(note, "b");
    deep(how != NULL);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return "returned";
}

static void handlers_run_from_the_newest(void)
{
    pthread_t t;
    void *result;

    order[0] = 0;
    pthread_create(&t, NULL, leaves, "x");
    pthread_join(t, &result);
    assert(!strcmp(result, "left"));
    assert(!strcmp(order, "cba"));
    order[0] = 0;
    pthread_create(&t, NULL, leaves, NULL);
    pthread_join(t, &result);
    assert(!strcmp(result, "returned"));
    assert(!strcmp(order, "ca"));
}

static pthread_key_t once_key, stubborn_key;
static int destroyed, rounds;

static void count_destroyed(void *value)
{
    assert(!pthread_getspecific(once_key));
    destroyed += (int)(intptr_t)value;
}

static void set_again(void *value)
{
    rounds++;
    pthread_setspecific(stubborn_key, value);
}

static void *with_values(void *value)
{
    assert(!pthread_getspecific(once_key));
    assert(!pthread_setspecific(once_key, value));
    assert(!pthread_setspecific(stubborn_key, value));
    assert(pthread_getspecific(once_key) == value);
    return NULL;
}

static void destructors_run_in_rounds(void)
{
    pthread_t a, b;
    pthread_key_t plain;

    assert(!pthread_key_create(&once_key, count_destroyed));
    assert(!pthread_key_create(&stubborn_key, set_again));
    assert(!pthread_key_create(&plain, NULL));
    pthread_create(&a, NULL, with_values, (void *)1);
    pthread_join(a, NULL);
    assert(destroyed == 1);
    assert(rounds == PTHREAD_DESTRUCTOR_ITERATIONS);
    pthread_create(&b, NULL, with_values, (void *)10);
    pthread_join(b, NULL);
    assert(destroyed == 11);
    assert(!pthread_setspecific(plain, &a));
    assert(!pthread_key_delete(plain));
    assert(pthread_setspecific(plain, &a) == EINVAL);
    assert(!pthread_getspecific(plain));
    assert(pthread_key_delete(plain) == EINVAL);
    assert(!pthread_key_create(&plain, NULL));
    assert(!pthread_getspecific(plain));
    pthread_key_delete(once_key);
    pthread_key_delete(stubborn_key);
    pthread_key_delete(plain);
}

static void keys_run_out(void)
{
    pthread_key_t keys[2000];
    int n = 0;

    while (!pthread_key_create(&keys[n], NULL))
        n++;
    assert(n >= _POSIX_THREAD_KEYS_MAX);
    assert(pthread_key_create(&keys[n], NULL) == EAGAIN);
    while (n)
        assert(!pthread_key_delete(keys[--n]));
}

/* ---- Cancellation. ---- */

static void *sleeps_for_ever(void *argument)
{
    (void)argument;
    pthread_cleanup_push(note, "z");
    for (;;)
        sleep(1);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *tests_for_ever(void *argument)
{
    (void)argument;
    for (;;)
        pthread_testcancel();
    return NULL;
}

static void *refuses(void *argument)
{
    int old;

    assert(!pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
    assert(old == PTHREAD_CANCEL_ENABLE || argument);
    pthread_testcancel();
    usleep(1);
    assert(!pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old));
    assert(pthread_setcancelstate(99, NULL) == EINVAL);
    return "done";
}

static void a_cancelled_thread_ends_at_its_next_point(void)
{
    pthread_t t;
    void *result;

    order[0] = 0;
    pthread_create(&t, NULL, sleeps_for_ever, NULL);
    assert(!pthread_cancel(t));
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    assert(!strcmp(order, "z") || !order[0]);
    pthread_create(&t, NULL, tests_for_ever, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    assert(pthread_cancel(t) == ESRCH);
    pthread_create(&t, NULL, refuses, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result != PTHREAD_CANCELED && !strcmp(result, "done"));
}

static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void unlock_gate(void *argument)
{
    /* POSIX: the mutex is locked again when the handler runs. */
    assert(pthread_mutex_trylock(&gate) == EBUSY);
    assert(!pthread_mutex_unlock(argument));
}

static void *waits_for_ever(void *argument)
{
    pthread_mutex_lock(&gate);
    pthread_cleanup_push(unlock_gate, &gate);
    for (;;)
        pthread_cond_wait(&never, &gate);
    pthread_cleanup_pop(1);
    return argument;
}

static void a_cancelled_wait_takes_the_mutex_again(void)
{
    pthread_t t;
    void *result;

    pthread_create(&t, NULL, waits_for_ever, NULL);
    assert(!pthread_cancel(t));
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    assert(!pthread_mutex_lock(&gate));
    assert(!pthread_mutex_unlock(&gate));
    assert(!pthread_cond_destroy(&never));
}

/* ---- Time. ---- */

static void sleeping_moves_the_clock(void)
{
    struct timespec a, b, half = {0, 500000000}, bad = {0, -1};

    clock_gettime(CLOCK_MONOTONIC, &a);
    assert(!sleep(2));
    assert(!usleep(10));
    assert(!nanosleep(&half, NULL));
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert(b.tv_sec >= a.tv_sec + 2);
    assert(nanosleep(&bad, NULL) == -1 && errno == EINVAL);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad, NULL) == EINVAL);
    b.tv_sec += 10;
    assert(!clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &b, NULL));
    clock_gettime(CLOCK_MONOTONIC, &a);
    assert(a.tv_sec >= b.tv_sec);
}

int main(void)
{
    main_thread = pthread_self();
    assert(pthread_equal(main_thread, pthread_self()));
    thread_pointers_differ();
    a_join_gives_the_result_and_orders_memory();
    joins_that_do_not_wait();
    joins_that_cannot_be();
    only_one_thread_joins();
    two_that_join_each_other_are_told();
    attributes_are_kept();
    a_thread_can_be_born_detached();
    names_and_settings();
    signal_masks();
    handlers_run_from_the_newest();
    destructors_run_in_rounds();
    keys_run_out();
    a_cancelled_thread_ends_at_its_next_point();
    a_cancelled_wait_takes_the_mutex_again();
    sleeping_moves_the_clock();
    return 0;
}
