/* SPDX-License-Identifier: MIT
 *
 * What the table of options says, for people and for their shells.
 */
#include <inttypes.h>
#include <string.h>

#include "cmd/options.h"
#include "cmd/options_table.h"

/* ---- --help ---- */

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

/* ---- Completion ---- */

/* "a|b|c" as words. */
static void put_choices(const char *choices, struct buf *out)
{
    for (; *choices; choices++)
        buf_putc(out, *choices == '|' ? ' ' : *choices);
}

/* One case for the words of an option, one for the names of all. */
static void put_command(const char *name, enum option_command set,
                        struct buf *out)
{
    for (const struct option_row *row = option_rows; row->name; row++) {
        if (!(row->commands & set) || row->type != OPT_WORD)
            continue;
        buf_printf(out, "    '%s --%s') words='", name, row->name);
        put_choices(row->value, out);
        buf_puts(out, "' ;;\n");
    }
    buf_printf(out, "    '%s '*) words='", name);
    for (const struct option_row *row = option_rows; row->name; row++) {
        if (row->commands & set)
            buf_printf(out, " --%s", row->name);
    }
    buf_puts(out, "' ;;\n");
}

void options_completion(const char *const *names,
                        const enum option_command *sets, bool zsh,
                        struct buf *out)
{
    if (zsh)
        buf_puts(out, "autoload -U +X bashcompinit && bashcompinit\n");
    buf_puts(out, "_fencer() {\n"
                  "    local words=\n"
                  "    case \"${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}\" "
                  "in\n");
    for (size_t i = 0; names[i]; i++)
        put_command(names[i], sets[i], out);
    buf_puts(out, "    esac\n    [ $COMP_CWORD -gt 1 ] || words='");
    for (size_t i = 0; names[i]; i++)
        buf_printf(out, " %s", names[i]);
    buf_puts(out, "'\n"
                  "    COMPREPLY=($(compgen -W \"$words\" -- "
                  "\"${COMP_WORDS[COMP_CWORD]}\"))\n"
                  "}\n"
                  "complete -o default -F _fencer fencer\n");
}
