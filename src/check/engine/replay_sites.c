/* SPDX-License-Identifier: MIT
 *
 * Places of the source in two tables: the load-store language's, and the
 * instrumented program's.  The same compiler made both, so a place is known by
 * its line, column, kind and name; of several that are alike the first goes
 * with the first, as long as there are as many.
 */
#include <string.h>

#include "engine/replay_inside.h"

static bool alike(const struct fencer_site *a, const struct fencer_site *b)
{
    return a->line == b->line && a->column == b->column && a->kind == b->kind &&
           strcmp(a->file, b->file) == 0 &&
           strcmp(a->function, b->function) == 0 &&
           strcmp(a->name, b->name) == 0;
}

uint32_t replay_site(const struct check_execution *x, uint32_t site)
{
    const struct lsl_program *from = x->flat->program;
    const struct fencer_site *wanted = &from->sites[site];
    uint32_t before = 0, ours = 0, theirs = 0, found = 0;

    if (!wanted->line)
        return 0;
    for (uint32_t i = 1; i < from->site_count; i++) {
        if (!alike(&from->sites[i], wanted))
            continue;
        ours++;
        before += i < site;
    }
    for (uint32_t i = 1; i < x->tables->site_count; i++) {
        if (alike(&x->tables->sites[i], wanted) && theirs++ == before)
            found = i;
    }
    return ours == theirs ? found : 0;
}
