/* SPDX-License-Identifier: MIT
 *
 * The cure of a finding as changes of the source.
 */
#ifndef REPORT_PATCH_H
#define REPORT_PATCH_H

#include "base/vec.h"
#include "report/report.h"
#include "report/steps.h"

/* A file, and what becomes of its lines. */
struct patch {
    const struct fencer_site *site; /* names the file */
    struct arena *arena;
    char **lines; /* without their ends; [0] is line 1 */
    size_t count;
    bool ends;            /* with a newline */
    const char **instead; /* by line; NULL: stays */
    const char **after;   /* by line: a new one */
};

struct patches {
    VEC(struct patch);
    struct arena arena;
    struct sources *sources;
};

/* False: the cure has no form that a tool could apply.  Either way the patches
 * are freed by the caller, before the sources. */
bool patches_of(const struct shown *f, struct sources *s, struct patches *p);
void patches_free(struct patches *p);

/* The same as a unified diff. */
bool patches_diff(const struct shown *f, struct sources *s, struct buf *out);

#endif
