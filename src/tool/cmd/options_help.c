/* SPDX-License-Identifier: MIT
 *
 * What the table of options says, for people.
 */
#include <inttypes.h>
#include <string.h>

#include "cmd/options.h"
#include "cmd/options_table.h"

#define HELP_COLUMN 30

/* "(1 to 256, default 20)" */
static void put_range(const struct option_row *row, struct buf *out)
{
    bool ranged = row->type == OPT_NUMBER && row->high < UINT32_MAX;
    bool initial = row->initial && *row->initial;

    if (!ranged && !initial)
        return;
    buf_puts(out, " (");
    if (ranged)
        buf_printf(out, "%" PRIu64 " to %" PRIu64, row->low, row->high);
    if (initial)
        buf_printf(out, "%sdefault %s", ranged ? ", " : "", row->initial);
    buf_putc(out, ')');
}

static void put_row(const struct option_row *row, struct buf *out)
{
    size_t begun = out->count, width;

    buf_printf(out, "  --%s", row->name);
    if (row->type != OPT_FLAG)
        buf_printf(out, " %s", row->value);
    width = out->count - begun;
    if (width >= HELP_COLUMN) {
        buf_putc(out, '\n');
        width = 0;
    }
    buf_pad(out, ' ', HELP_COLUMN - width);
    buf_puts(out, row->help);
    put_range(row, out);
    buf_putc(out, '\n');
}

void options_help(enum option_command command, struct buf *out)
{
    for (const struct option_row *row = option_rows; row->name; row++) {
        if (row->commands & command)
            put_row(row, out);
    }
}
