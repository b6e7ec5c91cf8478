/* SPDX-License-Identifier: MIT
 *
 * A cycle in one line, for files and comparisons.
 */
#include <string.h>

#include "expose/expose.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

void cycle_text(const struct cycle *c, const struct fencer_site *sites,
                struct buf *out)
{
    for (uint32_t i = 0; i < c->length; i++) {
        const struct fencer_site *s = &sites[c->nodes[i].site];

        buf_printf(out, "%s:%u:%u%c", base_name(s->file), s->line, s->column,
                   c->nodes[i].pair == GOAL_FIRST ? '>' : '~');
    }
}
