/* SPDX-License-Identifier: MIT
 *
 * fencer completion: scripts for shells, made from the table of commands and
 * that of options.  What has no words of its own is a file.
 */
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/options_table.h"
#include "cmd/tell.h"

/* "a|b|c" as words. */
static void put_choices(const char *choices, struct buf *out)
{
    for (; *choices; choices++)
        buf_putc(out, *choices == '|' ? ' ' : *choices);
}

static void put_models(unsigned set, struct buf *out)
{
    const struct model *list[OPTIONS_MODELS_MAX];
    size_t n = options_models(set, list);

    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%s%s", i ? " " : "", list[i]->name);
}

/* "cc, instrument, all" */
static void put_areas(struct buf *out)
{
    for (const char *at = OPTION_LOG_AREAS; *at; at++) {
        if (*at != ',')
            buf_putc(out, *at);
    }
}

/* The words that an option takes; false: it takes others. */
static bool put_words(const struct option_row *row, unsigned set,
                      struct buf *out)
{
    switch (row->type) {
    case OPT_WORD:
        put_choices(row->value, out);
        return true;
    case OPT_MODELS:
        put_models(set, out);
        buf_puts(out, " papers machines all");
        return true;
    case OPT_LOG:
        put_areas(out);
        return true;
    case OPT_FLAG:
    case OPT_NUMBER:
    case OPT_SECONDS:
    case OPT_TEXT:
    case OPT_TESTS:
        break;
    }
    return false;
}

/* The words that a command takes instead of files; "": files. */
static void put_operands(const struct command *c, struct buf *out)
{
    if (strcmp(c->name, "trace") == 0)
        buf_puts(out, "dump stats");
    else if (strcmp(c->name, "models") == 0)
        put_models(FOR_LITMUS, out);
    else if (strcmp(c->name, "completion") == 0)
        buf_puts(out, "bash zsh fish");
}

/* ---- bash, and zsh by its own emulation ---- */

static void put_case(const struct command *c, struct buf *out)
{
    for (const struct option_row *row = option_rows; row->name; row++) {
        struct buf words = {0};

        if (row->commands & c->options && put_words(row, c->options, &words))
            buf_printf(out, "    '%s --%s') choices='%s' ;;\n", c->name,
                       row->name, words.bytes);
        else if (row->commands & c->options && row->type != OPT_FLAG)
            buf_printf(out, "    '%s --%s') ;;\n", c->name, row->name);
        buf_free(&words);
    }
    buf_printf(out, "    '%s '*) choices='", c->name);
    put_operands(c, out);
    for (const struct option_row *row = option_rows; row->name; row++) {
        if (row->commands & c->options)
            buf_printf(out, " --%s", row->name);
    }
    buf_puts(out, "' ;;\n");
}

/* In bash `--model=tso' is three words.  Of a list with commas the last part is
 * completed. */
static void put_bash(struct buf *out)
{
    buf_puts(out, "_fencer() {\n"
                  "    local choices= part= cur=\"${COMP_WORDS[COMP_CWORD]}\"\n"
                  "    local prev=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
                  "    if [ \"$cur\" = '=' ]; then\n"
                  "        cur=\n"
                  "    elif [ \"$prev\" = '=' ]; then\n"
                  "        prev=\"${COMP_WORDS[COMP_CWORD-2]}\"\n"
                  "    fi\n"
                  "    case \"${COMP_WORDS[1]} $prev\" in\n");
    for (const struct command *c = commands; c->name; c++)
        put_case(c, out);
    buf_puts(out, "    esac\n    [ $COMP_CWORD -gt 1 ] || choices='");
    for (const struct command *c = commands; c->name; c++)
        buf_printf(out, "%s ", c->name);
    buf_puts(out,
             "help version'\n"
             "    [ \"$prev\" != --model ] || part=\"${cur%\"${cur##*,}\"}\"\n"
             "    COMPREPLY=($(compgen -P \"$part\" -W \"$choices\" -- "
             "\"${cur#\"$part\"}\"))\n"
             "}\n"
             "complete -o default -F _fencer fencer\n");
}

static void put_zsh(struct buf *out)
{
    buf_puts(out, "(( $+functions[compdef] )) || "
                  "{ autoload -U compinit && compinit }\n"
                  "autoload -U +X bashcompinit && bashcompinit\n");
    put_bash(out);
}

/* ---- fish ---- */

static void put_quoted(const char *text, struct buf *out)
{
    buf_putc(out, '\'');
    for (; *text; text++)
        buf_printf(out, "%s%c", *text == '\'' || *text == '\\' ? "\\" : "",
                   *text);
    buf_putc(out, '\'');
}

static void put_fish_option(const struct command *c,
                            const struct option_row *row, struct buf *out)
{
    struct buf words = {0};

    buf_printf(out,
               "complete -c fencer -n '__fish_seen_subcommand_from %s' -l %s",
               c->name, row->name);
    if (put_words(row, c->options, &words))
        buf_printf(out,
                   row->type == OPT_MODELS ? " -x -a '(__fish_append , %s)'"
                                           : " -x -a '%s'",
                   words.bytes);
    else if (row->type == OPT_TEXT)
        buf_puts(out, " -r");
    else if (row->type != OPT_FLAG)
        buf_puts(out, " -x");
    buf_puts(out, " -d ");
    put_quoted(row->help, out);
    buf_putc(out, '\n');
    buf_free(&words);
}

static void put_fish(struct buf *out)
{
    for (const struct command *c = commands; c->name; c++) {
        struct buf words = {0};

        buf_printf(out,
                   "complete -c fencer -n __fish_use_subcommand -f -a %s "
                   "-d ",
                   c->name);
        put_quoted(c->words, out);
        buf_putc(out, '\n');
        put_operands(c, &words);
        if (words.count)
            buf_printf(out,
                       "complete -c fencer -n '__fish_seen_subcommand_from %s' "
                       "-a '%s'\n",
                       c->name, words.bytes);
        for (const struct option_row *row = option_rows; row->name; row++) {
            if (row->commands & c->options)
                put_fish_option(c, row, out);
        }
        buf_free(&words);
    }
}

/* ---- The command ---- */

int cmd_completion(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*put)(struct buf *);
    } shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
    struct buf text = {0};
    struct err e = {""};
    int code = EXIT_USAGE;

    for (size_t i = 0; i < 3 && argc == 2; i++) {
        if (strcmp(argv[1], shells[i].name) == 0)
            shells[i].put(&text);
    }
    if (text.count == 0)
        err_set(&e, "usage: fencer completion bash|zsh|fish");
    else
        code = tell_text(&text, &e) ? EXIT_NOTHING_FOUND : EXIT_UNFINISHED;
    if (*e.text)
        fprintf(stderr, "fencer: %s\n", e.text);
    buf_free(&text);
    return code;
}
