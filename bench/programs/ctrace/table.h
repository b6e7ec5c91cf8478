/* SPDX-License-Identifier: MIT
 *
 * A hash table from threads to their records.  Not locked: the tracer's lock
 * is held by every caller.
 */
#ifndef TABLE_H
#define TABLE_H

#include <pthread.h>
#include <stdbool.h>

#define NAME_SIZE 8

/* What the tracer knows of a thread. */
struct record {
    struct record *next; /* in its chain */
    pthread_t thread;
    char name[NAME_SIZE];
    bool on;
    int level;      /* traced if on, up to this level */
    unsigned units; /* traced if on, these parts of the program */
    int depth;      /* of calls */
    int calls, lines;
};

#define CHAINS 4

struct table {
    struct record *chain[CHAINS];
    int count;
};

void table_init(struct table *t);

/* False if the thread is there already. */
bool table_add(struct table *t, struct record *r);

struct record *table_find(struct table *t, pthread_t thread);
struct record *table_find_name(struct table *t, const char *name);

/* The record, no longer in the table; NULL if there was none. */
struct record *table_remove(struct table *t, pthread_t thread);

#endif
