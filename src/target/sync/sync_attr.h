/* SPDX-License-Identifier: MIT
 *
 * What a pthread_attr_t says: see sync_attr.c.
 */
#ifndef SYNC_SYNC_ATTR_H
#define SYNC_SYNC_ATTR_H

#include "sync/sync.h"

/* Laid over pthread_attr_t.  Zeroes are the defaults. */
struct thread_attr {
    void *stack;
    size_t stack_size, guard_size;
    struct sched_param param;
    int policy, inherit, scope, detached;
    uint64_t processors; /* a bit each; 0: those of its creator */
};

/* Fills `a` from the program's attributes, or with the defaults for NULL. */
void sync_attr_read(const pthread_attr_t *attr, struct thread_attr *a,
                    uint32_t site);
int sync_attr_set_processors(pthread_attr_t *attr, uint64_t set, uint32_t site);

#endif
