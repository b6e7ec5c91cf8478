/* SPDX-License-Identifier: MIT
 *
 * What survives a killed run: one SQLite file with many runs, each under a key
 * that names the program, its arguments and the options.  A run is a set of
 * records, each with a name and two numbers of its engine's choice.
 *
 * A file that somebody else has changed is noticed: every record has a hash,
 * and the run the sum of them.  One process at a time has the file.
 */
#ifndef SESSION_STORE_H
#define SESSION_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "finding/shown.h"

struct store;

struct record {
    const char *name; /* "verdict" */
    uint64_t first, second;
    const char *words; /* for people; NULL: none */
    const void *bytes;
    size_t count;
};

/* Opens FILE for the run of that key: continues one that is not finished, else
 * begins anew.  `layout` names the structs that are kept as bytes: a file with
 * another one is begun anew.  False: e says which file is wrong, how, and what
 * to do about it. */
bool store_open(const char *file, const char *key, uint32_t layout,
                struct store **store, struct err *e);
void store_close(struct store *s); /* NULL is fine */

/* A number for structs of these sizes; `sizes` ends with 0. */
uint32_t store_layout(const size_t *sizes);

/* Is there something to continue? */
bool store_resumes(const struct store *s);

/* The run is over: none of it is to be done again.  Its records stay to be
 * looked at until the next run of that key. */
bool store_finish(struct store *s, struct err *e);

/* Changes between these two are there whole or not at all. */
bool store_begin(struct store *s, struct err *e);
bool store_commit(struct store *s, bool ok, struct err *e);

/* In place of the record with that name and numbers, if there is one. */
bool store_put(struct store *s, struct record r, struct err *e);
bool store_put_shown(struct store *s, struct record r, const struct shown *it,
                     struct err *e);

/* Drops all records of that name. */
bool store_forget(struct store *s, const char *name, struct err *e);

/* All records of that name, in the order in which they were put, until a call
 * gives false; then e says that the run is damaged. */
bool store_each(struct store *s, const char *name,
                bool (*take)(void *arg, const struct record *r), void *arg,
                struct err *e);

/* The struct that was put; false: it is another size. */
bool record_take(const struct record *r, void *to, size_t size);
/* The execution, which lives in that arena; false: it is damaged. */
bool record_take_shown(const struct record *r, struct arena *a,
                       struct shown *it);

/* One line: which file, and that it has to go. */
bool store_is_damaged(const struct store *s, struct err *e);

#endif
