/* SPDX-License-Identifier: MIT
 *
 * A cycle in one line, for files and comparisons.
 */
#include "base/words.h"
#include "expose/expose.h"

void cycle_text(const struct cycle *c, const struct fencer_site *sites,
                struct buf *out)
{
    for (uint32_t i = 0; i < c->length; i++) {
        const struct fencer_site *s = &sites[c->nodes[i].site];

        buf_printf(out, "%s:%u:%u%c", words_file_name(s->file), s->line,
                   s->column, c->nodes[i].pair == GOAL_FIRST ? '>' : '~');
    }
}
