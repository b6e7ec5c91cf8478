/* SPDX-License-Identifier: MIT
 *
 * Two threads and one library function in everyday use, which is named by a
 * define.  With BUG what the function tells them leads to a failed assertion.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static int add_one(void)
{
    int was;

    pthread_mutex_lock(&mutex);
    was = shared++;
    pthread_mutex_unlock(&mutex);
    return was;
}

#ifdef TEXT
/* Text of the thread's own: constant, local, on the heap. */
static int work(void)
{
    char local[32], *copy = strdup("four"), *rest;
    int n;

    snprintf(local, sizeof local, "%s %d %.2s%c", copy, 4, "xyz", '!');
    assert(strcmp(local, "four 4 xy!") == 0 && strlen(copy) == 4);
    n = (int)strtol(strchr(local, ' '), &rest, 10) + atoi("1");
    strcat(strcpy(local, copy), rest);
    printf("%s\n", local);
    free(copy);
    return n;
}
#ifdef BUG
#define RIGHT(mine, other) ((mine) == 5 && shared < 2)
#else
#define RIGHT(mine, other) ((mine) == 5)
#endif
#endif

#ifdef SORT
static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int list[3] = {3, 1, 2};

static int work(void)
{
    int least;

    pthread_mutex_lock(&mutex);
    qsort(list, 3, sizeof *list, compare);
    least = list[0];
    pthread_mutex_unlock(&mutex);
#ifdef BUG
    list[0] = 0; /* as if it were our own */
#endif
    return least;
}
#define RIGHT(mine, other) ((mine) == 1)
#endif

#ifdef SCAN
/* Text of the thread's own, cut and scanned.  strtok remembers for all threads
 * where it was.  With BUG each thinks that it came first. */
static int work(void)
{
    char text[] = "3 4", again[] = "5,6", number[8], *rest;
    int first = 0, second = 0, before = 0;

    assert(sscanf(text, "%d %d", &first, &second) == 2 && first == 3);
    snprintf(number, sizeof number, "%d", add_one());
    assert(sscanf(number, "%d", &before) == 1);
    assert(strcmp(strtok_r(again, ",", &rest), "5") == 0);
    assert(strcmp(strtok_r(NULL, ",", &rest), "6") == 0);
    pthread_mutex_lock(&mutex);
    first = *strtok(text, " ") - '0';
    rest = strtok(NULL, " ");
    pthread_mutex_unlock(&mutex);
#ifdef BUG
    first += before;
#endif
    return first + *rest - '0';
}
#define RIGHT(mine, other) ((mine) == 7 && (other) == 7)
#endif

#ifdef SELF
/* What a thread says and asks about itself. */
static int work(void)
{
    struct sched_param param;
    cpu_set_t processors;
    pthread_attr_t attr;
    sigset_t mask;
    char name[16];
    int policy;

    pthread_setname_np(pthread_self(), shared ? "busy" : "idle");
    add_one();
    CPU_ZERO(&processors);
    CPU_SET(0, &processors);
    assert(pthread_setaffinity_np(pthread_self(), sizeof processors,
                                  &processors) == 0);
    assert(pthread_getschedparam(pthread_self(), &policy, &param) == 0);
    assert(pthread_getattr_np(pthread_self(), &attr) == 0);
    pthread_attr_destroy(&attr);
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &mask, NULL);
    assert(syscall(SYS_gettid) == gettid() && !isatty(STDOUT_FILENO));
    assert(write(STDOUT_FILENO, "x\n", 2) == 2);
    pthread_getname_np(pthread_self(), name, sizeof name);
    return strcmp(name, "idle") == 0;
}
#ifdef BUG
#define RIGHT(mine, other) ((mine) || !(other)) /* the first is idle */
#else
#define RIGHT(mine, other) ((mine) || (other))
#endif
#endif

#ifdef RANDOM
static int work(void)
{
    return rand();
}
#ifdef BUG
/* Who is first gets the first number. */
#define RIGHT(mine, other) ((mine) < (other))
#else
#define RIGHT(mine, other) ((mine) != (other))
#endif
#endif

#ifdef CLOCK
static int work(void)
{
    struct timespec now;

    usleep(10);
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int)(now.tv_nsec % 1000000000);
}
#ifdef BUG
#define RIGHT(mine, other) ((mine) < (other))
#else
#define RIGHT(mine, other) ((mine) != (other) && (mine) >= 11000)
#endif
#endif

#ifdef TIMED
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

/* Waits for the other one, but not for ever. */
static int work(void)
{
    struct timespec until, now;
    int error = 0;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&condition);
    if (!shared++)
        error = pthread_cond_timedwait(&condition, &mutex, &until);
    pthread_mutex_unlock(&mutex);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(error == 0 || (error == ETIMEDOUT && now.tv_sec >= until.tv_sec));
    return error;
}
#ifdef BUG
#define RIGHT(mine, other) ((mine) == 0)
#else
#define RIGHT(mine, other) ((mine) == 0 || (mine) == ETIMEDOUT)
#endif
#endif

#ifdef KEYS
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int destroyed;

static void destroy(void *value)
{
    pthread_mutex_lock(&mutex);
    destroyed += *(int *)value;
    pthread_mutex_unlock(&mutex);
    free(value);
}

static void make_key(void)
{
    pthread_key_create(&key, destroy);
}

static int work(void)
{
    int *mine;

#ifdef BUG
    if (!shared)
        make_key(); /* and the other one, too */
#else
    pthread_once(&once, make_key);
#endif
    assert(!pthread_getspecific(key));
    mine = malloc(sizeof *mine);
    *mine = 1;
    pthread_setspecific(key, mine);
    assert(pthread_getspecific(key) == mine);
    return 1;
}
#define AT_END() assert(destroyed == 2)
#define RIGHT(mine, other) ((mine) == 1)
#endif

#ifndef AT_END
#define AT_END() ((void)0)
#endif

static void *run(void *result)
{
    *(int *)result = work();
    add_one();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int results[2];

    pthread_create(&threads[0], NULL, run, &results[0]);
    pthread_create(&threads[1], NULL, run, &results[1]);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(RIGHT(results[0], results[1]));
    AT_END();
    return 0;
}
