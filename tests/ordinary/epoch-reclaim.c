/* SPDX-License-Identifier: MIT
 *
 * Epoch-based reclamation: a reader pins the epoch before it follows the
 * pointer, and the writer frees the old object after everybody was seen
 * unpinned or in the new epoch.  -DBROKEN: no fence after pinning.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define READERS 1
#define IDLE 0u

struct config {
    int width, height;
};

static _Atomic(struct config *) current;
static atomic_uint global_epoch = 1;
static atomic_uint local_epoch[READERS];

static void epoch_enter(int me)
{
    unsigned e = atomic_load_explicit(&global_epoch, memory_order_relaxed);

    atomic_store_explicit(&local_epoch[me], e, memory_order_relaxed);
#ifndef BROKEN
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void epoch_leave(int me)
{
    atomic_store_explicit(&local_epoch[me], IDLE, memory_order_release);
}

static void epoch_synchronize(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    unsigned now =
        atomic_fetch_add_explicit(&global_epoch, 1, memory_order_acq_rel) + 1;
    for (int i = 0; i < READERS; i++) {
        unsigned e;

        do
            e = atomic_load_explicit(&local_epoch[i], memory_order_acquire);
        while (e != IDLE && e < now);
    }
}

static struct config *config_new(int w, int h)
{
    struct config *c = malloc(sizeof *c);

    c->width = w;
    c->height = h;
    return c;
}

static void *reader(void *arg)
{
    epoch_enter(0);
    struct config *c = atomic_load_explicit(&current, memory_order_acquire);
    assert(c->height == 2 * c->width);
    epoch_leave(0);
    return arg;
}

static void *writer(void *arg)
{
    struct config *fresh = config_new(8, 16);
    struct config *old =
        atomic_exchange_explicit(&current, fresh, memory_order_acq_rel);

    epoch_synchronize();
    free(old);
    return arg;
}

int main(void)
{
    pthread_t r, w;

    atomic_init(&current, config_new(4, 8));
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    free(atomic_load(&current));
    return 0;
}
