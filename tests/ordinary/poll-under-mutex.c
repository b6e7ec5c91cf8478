/* SPDX-License-Identifier: MIT
 *
 * A job whose state is looked at under a mutex now and then, until it is done;
 * a helper copies it.  -DBROKEN: the result is written after the state.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

enum state { QUEUED, RUNNING, DONE };

struct job {
    pthread_mutex_t mutex;
    enum state state;
    int result;
};

static struct job job = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void set_state(struct job *j, enum state s)
{
    pthread_mutex_lock(&j->mutex);
    j->state = s;
    pthread_mutex_unlock(&j->mutex);
}

static void get_state(struct job *j, enum state *s)
{
    pthread_mutex_lock(&j->mutex);
    *s = j->state;
    pthread_mutex_unlock(&j->mutex);
}

static void *work(void *unused)
{
    set_state(&job, RUNNING);
#ifndef BROKEN
    job.result = 42;
#endif
    set_state(&job, DONE);
#ifdef BROKEN
    job.result = 42;
#endif
    return unused;
}

int main(void)
{
    pthread_t t;
    enum state s;
    unsigned delay = 1;

    pthread_create(&t, NULL, work, NULL);
    for (;;) {
        get_state(&job, &s);
        if (s == DONE)
            break;
        usleep(delay);
        if (delay < 1000)
            delay *= 2;
    }
    assert(job.result == 42);
    pthread_join(t, NULL);
    return 0;
}
