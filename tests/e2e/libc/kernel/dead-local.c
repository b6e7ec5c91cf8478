/* SPDX-License-Identifier: MIT
 *
 * A job on the stack of the function that hands it out.  It returns before the
 * job is done, or waits for that (-DWAITS).  With -DAGAIN other functions have
 * their locals where it had its own, and each of them waits as well.
 */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct job {
    int value;
    atomic_int done;
};

struct wide {
    struct job job;
    long more[6];
};

static struct job *_Atomic todo;

#ifdef AGAIN
#define JOBS 4
#else
#define JOBS 1
#endif

static void *worker(void *none)
{
    for (int i = 0; i < JOBS; i++) {
        struct job *j;

        while (!(j = atomic_exchange(&todo, NULL)))
            ;
        j->value++;
        atomic_store(&j->done, 1);
    }
    return none;
}

static int hand_out(struct job *j)
{
    atomic_store(&todo, j);
#if defined WAITS || defined AGAIN
    while (!atomic_load(&j->done))
        ;
    return j->value;
#else
    return 2;
#endif
}

static int submit(int value)
{
    struct job j = {value, 0};

    return hand_out(&j);
}

#ifdef AGAIN
static int submit_variable(int count)
{
    struct job *j = alloca((size_t)count * sizeof *j);

    j[count - 1] = (struct job){1, 0};
    return hand_out(&j[count - 1]);
}

static int submit_passed(struct wide w)
{
    return hand_out(&w.job);
}
#endif

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, worker, NULL);
    assert(submit(1) == 2);
#ifdef AGAIN
    assert(submit_variable(3) == 2);
    assert(submit_passed((struct wide){.job = {1, 0}}) == 2);
    assert(submit(1) == 2);
#endif
    pthread_join(t, NULL);
    return 0;
}
