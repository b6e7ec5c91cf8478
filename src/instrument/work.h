/* SPDX-License-Identifier: MIT
 *
 * A folder for files on their way, gone afterwards whatever happens, and the
 * running of other programs.
 */
#ifndef INSTRUMENT_WORK_H
#define INSTRUMENT_WORK_H

#include <stdbool.h>

#include "base/err.h"
#include "base/scratch.h"
#include "instrument/strs.h"

struct work {
    struct scratch scratch;
    struct strs files; /* made by work_file, removed by work_end */
    char failed[512];  /* the source that did not compile, or empty */
};

bool work_begin(struct work *w, struct err *e);
void work_end(struct work *w);

/* Name of a new file in the folder, with that ending: ".o".  Owned by w. */
const char *work_file(struct work *w, const char *ending);

/* Runs the program.  Its exit code, 128 + signal, or -1 with e set when it
 * cannot be started.  `out` not NULL: its stdout goes to that file; `err` not
 * NULL: its stderr. */
int work_run(const struct strs *command, const char *out, const char *err,
             struct err *e);

/* Is there hardly any space left where the work's files are, or where the file
 * `output` is?  Then e says so. */
bool work_is_full(const struct work *w, const char *output, struct err *e);

#endif
