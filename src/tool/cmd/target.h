/* SPDX-License-Identifier: MIT
 *
 * The program to run: a file that fencer cc linked, or sources that are built
 * now.
 */
#ifndef CMD_TARGET_H
#define CMD_TARGET_H

#include "base/arena.h"
#include "base/err.h"
#include "cmd/options.h"
#include "trace/trace.h"
#include "worker/worker.h"

struct target {
    const char *program; /* as the user named it */
    const char *binary;  /* the file to start */
    const char *stem;    /* built: what to call it when it is kept */
    bool built;          /* from sources, into a file that has no name */
    int file;            /* built: its descriptor */
    bool unable;         /* opening failed, and it is not the user's fault */
    struct program tables;
};

/* The operands, as the user named them. */
const char *target_name(const struct options *o, struct arena *a);

/* False: wrong usage, or sources that do not compile; t->unable: neither. */
bool target_open(const struct options *o, struct arena *a, struct target *t,
                 struct err *e);

/* Gives the path under which the program can be found later, seen from the
 * folder of findings.  A built one is kept there. */
bool target_keep(const struct options *o, const struct target *t,
                 struct arena *a, const char **path, struct err *e);

/* What both run and test ask of it: its arguments, seed, limits and flags.
 * Model and strategy are the command's. */
struct job target_job(const struct options *o, const struct target *t);

/* Removes what nobody kept. */
void target_close(struct target *t);

/* Writes bytes to DIR/STEM.SUFFIX, or STEM-2.SUFFIX, ...: the first name that
 * is free or has these bytes already.  Gives the name without DIR. */
bool target_place(const char *dir, const char *stem, const struct buf *bytes,
                  struct arena *a, const char **name, struct err *e);

#endif
