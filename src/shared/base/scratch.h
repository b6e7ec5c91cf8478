/* SPDX-License-Identifier: MIT
 *
 * Folders for files on their way.  Each is locked by the process that made it;
 * the kernel drops the lock whatever ends that process.  Whoever makes one
 * removes those that nobody has locked: so a killed process leaves its files
 * until the next one comes, and not for ever.
 */
#ifndef BASE_SCRATCH_H
#define BASE_SCRATCH_H

#include <stdbool.h>

#include "base/err.h"

#define SCRATCH_PATH_MAX 512

struct scratch {
    char folder[SCRATCH_PATH_MAX]; /* empty: there is none */
    int lock;
};

/* A new folder inside `where`.  False: nothing is left. */
bool scratch_make(const char *where, struct scratch *s, struct err *e);

/* Removes the folder with the files in it; it has no other folders. */
void scratch_remove(struct scratch *s);

#endif
