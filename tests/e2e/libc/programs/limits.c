/* SPDX-License-Identifier: MIT
 *
 * How large a stack may be, as libraries ask before they make a thread.  No
 * process of its own is needed for that, and no fence comes of it.
 *
 * expect: 0
 * options: --model sc,tso --runs 50
 */
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

static struct rlimit limit;

static void *asks(void *none)
{
    assert(getrlimit(RLIMIT_STACK, &limit) == 0);
    return none;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;

    assert(PTHREAD_STACK_MIN == sysconf(_SC_THREAD_STACK_MIN));
    pthread_attr_init(&attr);
    assert(!pthread_attr_setstacksize(&attr, 8 * (size_t)PTHREAD_STACK_MIN));
    pthread_create(&t, &attr, asks, NULL);
    pthread_join(t, NULL);
    assert(limit.rlim_cur <= limit.rlim_max && limit.rlim_cur > 0);
    assert(getrlimit(-1, &limit) == -1);
    return 0;
}
