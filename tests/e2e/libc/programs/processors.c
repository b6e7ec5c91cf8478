/* SPDX-License-Identifier: MIT
 *
 * How many processors there are, and which of them a thread may use, is the
 * same whoever is asked.
 *
 * expect: 0
 * options: --model sc,tso --runs 50
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static cpu_set_t one(int processor)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    return set;
}

static void *pinned(void *number)
{
    int processor = (int)(long)number;
    cpu_set_t set, other = one(0);

    assert(!sched_getaffinity(0, sizeof set, &set));
    assert(CPU_COUNT(&set) == 1 && CPU_ISSET(processor, &set));
    assert(sched_getcpu() == processor);
    assert(!sched_setaffinity(gettid(), sizeof other, &other));
    assert(!pthread_getaffinity_np(pthread_self(), sizeof set, &set));
    assert(CPU_EQUAL(&set, &other) && sched_getcpu() == 0);
    return NULL;
}

int main(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t all, last = one((int)count - 1), none;
    unsigned cpu, node;
    pthread_attr_t attr;
    pthread_t t;

    assert(count == sysconf(_SC_NPROCESSORS_CONF) && count == get_nprocs() &&
           count == get_nprocs_conf());
    assert(!sched_getaffinity(0, sizeof all, &all));
    assert(CPU_COUNT(&all) == count && CPU_ISSET(sched_getcpu(), &all));
    assert(!getcpu(&cpu, &node) && (int)cpu == sched_getcpu());
    assert(!syscall(SYS_getcpu, &cpu, &node, NULL) &&
           (int)cpu == sched_getcpu());
    assert(syscall(SYS_sched_getaffinity, 0, sizeof last, &last) > 0 &&
           CPU_EQUAL(&last, &all));
    last = one((int)count - 1);
    CPU_ZERO(&none);
    assert(sched_setaffinity(0, sizeof none, &none) == -1 && errno == EINVAL);
    pthread_attr_init(&attr);
    assert(!pthread_attr_setaffinity_np(&attr, sizeof last, &last));
    pthread_create(&t, &attr, pinned, (void *)(count - 1));
    pthread_join(t, NULL);
    assert(!sched_setaffinity(0, sizeof last, &last));
    pthread_create(&t, NULL, pinned, (void *)(count - 1));
    pthread_join(t, NULL);
    return 0;
}
