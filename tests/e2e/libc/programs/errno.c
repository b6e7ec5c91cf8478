/* SPDX-License-Identifier: MIT
 *
 * Each thread has its own errno, and using it is no event: nothing here makes
 * the program need a process per execution.
 *
 * expect: 0
 * options: --model sc,tso,pso,pslo --runs 100
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static volatile int steps;

static void *fails(void *none)
{
    for (int i = 0; i < 3; i++) {
        errno = 0;
        assert(strtol("99999999999999999999", NULL, 10) > 0);
        steps++;
        assert(errno == ERANGE);
    }
    return none;
}

static void *works(void *none)
{
    for (int i = 0; i < 3; i++) {
        errno = 0;
        steps++;
        sched_yield();
        assert(strtol("7", NULL, 10) == 7);
        assert(errno == 0);
        errno = 100 + i;
        steps++;
        assert(errno == 100 + i);
    }
    return none;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, fails, NULL);
    pthread_create(&b, NULL, works, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
