/* SPDX-License-Identifier: MIT
 *
 * Programs that were built from sources, kept so that unchanged sources are not
 * compiled again: in $XDG_CACHE_HOME/fencer, else ~/.cache/fencer.  A cache
 * that cannot be used is as good as an empty one: nothing here fails.
 */
#ifndef CMD_CACHE_H
#define CMD_CACHE_H

#include <stddef.h>
#include <time.h>

#include "base/arena.h"

/* All that is kept together is at most this large. */
#define CACHE_BYTES_MAX (512ull << 20)

/* NULL: there is no place for it. */
const char *cache_folder(struct arena *a);

/* What a program is built from, and how. */
struct cache_build {
    const char *const *sources;
    size_t source_count;
    const char *cflags;
    unsigned how; /* BUILD_ bits */
};

/* An open file, the program that was built so from what the files hold now; or
 * -1. */
int cache_find(const struct cache_build *b, struct arena *a);

/* What clang is to write down while a program is built. */
struct cache_watch {
    const char *headers; /* a file: what it includes */
    struct timespec begun;
};

/* From here on, until cache_watched. */
void cache_watch(struct cache_watch *w, const char *headers);
void cache_watched(void);

/* Keeps the program, which was built meanwhile. */
void cache_keep(const struct cache_build *b, const struct cache_watch *w,
                const char *program, struct arena *a);

#endif
