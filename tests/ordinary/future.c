/* SPDX-License-Identifier: MIT
 *
 * A promise and its future: who waits polls for a result, which comes as a
 * struct, and sleeps ever longer.  -DBROKEN: the state is read without acquire,
 * and PSLO may read the value too early.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#ifdef BROKEN
#define LOOK memory_order_relaxed
#else
#define LOOK memory_order_acquire
#endif

struct result {
    bool ready;
    int value, error;
};

static struct future {
    atomic_int done;
    int value, error;
} future;

static struct result future_poll(struct future *f)
{
    struct result r = {.ready = atomic_load_explicit(&f->done, LOOK)};

    if (r.ready) {
        r.value = f->value;
        r.error = f->error;
    }
    return r;
}

static struct result future_wait(struct future *f)
{
    struct result r = future_poll(f);
    useconds_t delay = 10;

    while (!r.ready) {
        usleep(delay);
        if (delay < 1000)
            delay += delay / 2;
        r = future_poll(f);
    }
    return r;
}

static void *promise(void *unused)
{
    future.value = 42;
    future.error = 1;
    atomic_store_explicit(&future.done, 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t t;
    struct result r;

    pthread_create(&t, NULL, promise, NULL);
    r = future_wait(&future);
    assert(r.value == 42 && r.error == 1);
    pthread_join(t, NULL);
    return 0;
}
