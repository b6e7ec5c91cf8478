/* SPDX-License-Identifier: MIT
 *
 * A channel with room for one value, which can be closed; who changes it
 * signals after it has let the mutex go.  -DBROKEN: who takes the value does
 * not tell the sender, who waits for good.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct channel {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty, not_full;
    bool closed, full;
    int value;
};

static struct channel channel = {.mutex = PTHREAD_MUTEX_INITIALIZER,
                                 .not_empty = PTHREAD_COND_INITIALIZER,
                                 .not_full = PTHREAD_COND_INITIALIZER};

static void channel_send(struct channel *c, int value)
{
    pthread_mutex_lock(&c->mutex);
    while (c->full)
        pthread_cond_wait(&c->not_full, &c->mutex);
    c->value = value;
    c->full = true;
    pthread_mutex_unlock(&c->mutex);
    pthread_cond_signal(&c->not_empty);
}

static bool channel_receive(struct channel *c, int *value)
{
    bool found = false;

    pthread_mutex_lock(&c->mutex);
    while (!c->full && !c->closed)
        pthread_cond_wait(&c->not_empty, &c->mutex);
    if (c->full) {
        *value = c->value;
        c->full = false;
        found = true;
    }
    pthread_mutex_unlock(&c->mutex);
#ifndef BROKEN
    pthread_cond_signal(&c->not_full);
#endif
    return found;
}

static void channel_close(struct channel *c)
{
    pthread_mutex_lock(&c->mutex);
    c->closed = true;
    pthread_mutex_unlock(&c->mutex);
    pthread_cond_broadcast(&c->not_empty);
}

static void *send(void *unused)
{
    for (int i = 1; i <= 2; i++)
        channel_send(&channel, i);
    channel_close(&channel);
    return unused;
}

int main(void)
{
    pthread_t t;
    int value, sum = 0;

    pthread_create(&t, NULL, send, NULL);
    while (channel_receive(&channel, &value))
        sum += value;
    pthread_join(t, NULL);
    assert(sum == 3);
    return 0;
}
