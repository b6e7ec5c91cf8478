/* SPDX-License-Identifier: MIT
 *
 * Double-checked initialisation with a mutex.  -DBROKEN: the pointer is
 * published without release, so PSO may show it before what it points to.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

struct config {
    int threads, depth;
};

static struct config *_Atomic config;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct config *config_get(void)
{
    struct config *c = atomic_load_explicit(&config, memory_order_acquire);

    if (c)
        return c;
    pthread_mutex_lock(&mutex);
    c = atomic_load_explicit(&config, memory_order_relaxed);
    if (!c) {
        c = malloc(sizeof *c);
        c->threads = 4;
        c->depth = 7;
        atomic_store_explicit(&config, c, PUBLISH);
    }
    pthread_mutex_unlock(&mutex);
    return c;
}

static void *user(void *unused)
{
    struct config *c = config_get();

    assert(c->threads == 4 && c->depth == 7);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(config);
    return 0;
}
