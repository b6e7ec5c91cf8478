/* SPDX-License-Identifier: MIT
 *
 * The workers: they take files from the queue, search them and keep what they
 * find.  Every shared field has its lock.
 */
#ifndef SCAN_H
#define SCAN_H

#include <pthread.h>

#include "bm.h"
#include "pqueue.h"

struct job {
    const char *text;
    char path[24];
};

struct match {
    struct match *next;
    long offset;
    char path[24];
};

struct scan {
    struct bm pattern;   /* fixed before the workers start */
    struct pqueue queue; /* of struct job, each from malloc */

    pthread_mutex_t matches_lock;
    unsigned matches, files_with_matches;

    pthread_mutex_t print_lock;
    struct match *printed; /* sorted by path and offset */

    pthread_mutex_t workers_lock;
    pthread_cond_t workers_done;
    unsigned workers;
};

void scan_init(struct scan *s, unsigned queue_size);
void scan_fini(struct scan *s);

void scan_start_workers(struct scan *s, unsigned count);

/* Closes the queue and waits until every worker has done its last file. */
void scan_finish(struct scan *s);

#endif
