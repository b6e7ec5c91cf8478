/* SPDX-License-Identifier: MIT
 *
 * Which litmus files a command line means.
 */
#ifndef CMD_LITMUS_FILES_H
#define CMD_LITMUS_FILES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

struct litmus_files {
    VEC(const char *); /* paths, in the order of the command line */
};

/* Adds a file, all files *.litmus of a folder and of those in it, by name, or
 * the paths that a file lists (@LIST), a line each and relative to it. */
bool litmus_files_add(struct litmus_files *f, const char *operand,
                      struct arena *a, struct err *e);

#endif
