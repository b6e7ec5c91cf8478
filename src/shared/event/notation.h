/* SPDX-License-Identifier: MIT
 *
 * Tests in the paper's notation (CheckFence, Fig. 8): "e ( ed | de' )" is an
 * initialisation sequence, then threads.
 *
 *     test     = calls [ "(" calls { "|" calls } ")" ]
 *     calls    = { operation [ "'" ] }
 *
 * A name is an operation of the file, the longest that fits ("al rr", "alrr");
 * a prime forbids retries.  No parentheses: one thread.  Spaces separate and
 * mean nothing else.
 *
 * The tool and the tested program read a test by this code, call by call; each
 * keeps the calls in its own way.
 */
#ifndef EVENT_NOTATION_H
#define EVENT_NOTATION_H

#include <stdbool.h>
#include <stdint.h>

/* What a text that is no test lacks. */
enum notation_mistake {
    NOTATION_UNKNOWN,  /* no operation has that name */
    NOTATION_EMPTY,    /* a thread without operations */
    NOTATION_UNCLOSED, /* ")" is missing */
    NOTATION_MORE      /* something follows where nothing may */
};

struct notation {
    const char *at; /* what is read next; after a mistake: where it is */
    const char *(*name_of)(const void *names, uint32_t operation);
    const void *names;
    uint32_t thread; /* under way; 0: before the threads */
    uint32_t calls;  /* of that thread so far */
    bool has_threads, ended;
    enum notation_mistake mistake;
};

struct notation_call {
    uint32_t operation;
    uint32_t thread; /* from 1; 0: before the threads */
    bool once;       /* primed: its loops do not come round */
};

enum notation_step { NOTATION_CALL, NOTATION_END, NOTATION_WRONG };

/* `name_of` gives the operations' names, and NULL after the last one. */
struct notation notation_begin(const char *text,
                               const char *(*name_of)(const void *, uint32_t),
                               const void *names);

/* The next call.  Threads come in order, and each has one at least; after
 * NOTATION_END n->thread is how many there are. */
enum notation_step notation_next(struct notation *n, struct notation_call *out);

#endif
