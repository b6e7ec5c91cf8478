/* SPDX-License-Identifier: MIT
 *
 * The accesses of a trace that can be part of a cycle: on data or, if asked
 * for, on objects of the thread library too, and in memory that several threads
 * touch and at least one writes.
 */
#ifndef PREDICT_PREDICT_ACCESS_H
#define PREDICT_PREDICT_ACCESS_H

#include "base/map.h"
#include "trace/trace.h"

#define ACCESS_NONE UINT32_MAX
#define ACCESS_BYTES 16 /* of the widest */

struct access {
    uint64_t address;
    uint32_t event, site;
    uint16_t thread;
    uint8_t size;
    bool reads, writes;
};

enum access_scope {
    ACCESS_DATA,       /* as docs/cycles.md defines it */
    ACCESS_OBJECTS_TOO /* mutexes, semaphores, ... are a byte each */
};

bool access_is(const struct trace *t, const struct event *e,
               enum access_scope scope);

/* Where it is: the same for all accesses that share the byte. */
uint64_t access_address(const struct trace *t, const struct event *e);

bool access_overlap(const struct access *a, const struct access *b);

/* Different threads, a byte in common, and one of them writes. */
bool access_conflict(const struct access *a, const struct access *b);

/* Words of 8 bytes, numbered from 1 in the order they are first seen. */
struct words {
    struct map numbers;
};

void words_init(struct words *w, struct arena *a);
uint32_t words_add(struct words *w, uint64_t word);
uint32_t words_find(const struct words *w, uint64_t word); /* 0: none */

/* All accesses to memory that is shared, in the order of the trace. */
struct accesses {
    struct access *list;
    uint32_t count;
    uint32_t *of_event; /* ACCESS_NONE: none */
};

void access_collect(const struct trace *t, enum access_scope scope,
                    struct arena *a, struct accesses *out);

/* Their numbers by thread, each in program order; first[i]: where thread i
 * begins in the list. */
uint32_t *access_by_thread(const struct accesses *all, size_t threads,
                           struct arena *a, uint32_t *first);

#endif
