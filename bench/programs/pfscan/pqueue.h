/* SPDX-License-Identifier: MIT
 *
 * A bounded queue of pointers between threads.
 */
#ifndef PQUEUE_H
#define PQUEUE_H

#include <pthread.h>
#include <stdbool.h>

struct pqueue {
    void **slot;
    unsigned size, used, first;
    bool closed;
    pthread_mutex_t lock;
    pthread_cond_t more, less;
};

void pqueue_init(struct pqueue *q, unsigned size);
void pqueue_fini(struct pqueue *q);

/* Waits for room. */
void pqueue_put(struct pqueue *q, void *item);

/* Waits for an item; NULL once the queue is closed and empty. */
void *pqueue_get(struct pqueue *q);

/* No more items will come. */
void pqueue_close(struct pqueue *q);

#endif
