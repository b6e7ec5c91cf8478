/* SPDX-License-Identifier: MIT
 *
 * A ring under one mutex; one condition for each end that may have to wait.
 */
#include "pqueue.h"

#include <stddef.h>
#include <stdlib.h>

void pqueue_init(struct pqueue *q, unsigned size)
{
    q->slot = malloc(size * sizeof *q->slot);
    q->size = size;
    q->used = q->first = 0;
    q->closed = false;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->more, NULL);
    pthread_cond_init(&q->less, NULL);
}

void pqueue_fini(struct pqueue *q)
{
    pthread_cond_destroy(&q->less);
    pthread_cond_destroy(&q->more);
    pthread_mutex_destroy(&q->lock);
    free(q->slot);
}

void pqueue_put(struct pqueue *q, void *item)
{
    pthread_mutex_lock(&q->lock);
    while (q->used == q->size)
        pthread_cond_wait(&q->less, &q->lock);
    q->slot[(q->first + q->used) % q->size] = item;
    q->used++;
    pthread_cond_signal(&q->more);
    pthread_mutex_unlock(&q->lock);
}

void *pqueue_get(struct pqueue *q)
{
    void *item = NULL;

    pthread_mutex_lock(&q->lock);
    while (q->used == 0 && !q->closed)
        pthread_cond_wait(&q->more, &q->lock);
    if (q->used > 0) {
        item = q->slot[q->first];
        q->first = (q->first + 1) % q->size;
        q->used--;
        pthread_cond_signal(&q->less);
    }
    pthread_mutex_unlock(&q->lock);
    return item;
}

void pqueue_close(struct pqueue *q)
{
    pthread_mutex_lock(&q->lock);
    q->closed = true;
    pthread_cond_broadcast(&q->more);
    pthread_mutex_unlock(&q->lock);
}
