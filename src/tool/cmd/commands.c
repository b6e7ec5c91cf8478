/* SPDX-License-Identifier: MIT
 *
 * The table of commands.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/tell.h"

const struct command commands[] = {
    {"cc", 0, NULL, cmd_cc, "[any cc arguments]",
     "compile or link with instrumentation; CC=\"fencer cc\""},
    {"run", FOR_RUN, cmd_run, NULL, "[options] PROG",
     "executions on each model, from one seed"},
    {"test", FOR_TEST, cmd_test, NULL, "[options] PROG",
     "record, predict, expose, classify"},
    {"verify", FOR_VERIFY, cmd_verify, NULL, "[options] PROG",
     "every execution up to the bound asked for"},
    {"check", FOR_CHECK, cmd_check, NULL, "[options] FILE.c",
     "a data type against a test, by SAT"},
    {"replay", FOR_REPLAY, cmd_replay, NULL, "[options] FINDING",
     "that execution again, exactly; --gdb stops in it"},
    {"report", FOR_REPORT, cmd_report, NULL, "[options] [DIR]",
     "the findings of a run, again"},
    {"trace", FOR_TRACE, cmd_trace, NULL, "dump|stats FILE",
     "what is in a trace"},
    {"litmus", FOR_LITMUS, cmd_litmus, NULL, "[options] FILE|DIR|@LIST",
     "tests in herd's format"},
    {"models", FOR_MODELS, cmd_models, NULL, "[NAME]",
     "the models, what they stand for, their axioms"},
    {"suite", FOR_SUITE, cmd_suite, NULL, "[options] [FILTER]",
     "the tests that a project's fencer.toml lists"},
    {"doctor", FOR_DOCTOR, cmd_doctor, NULL, "[options]",
     "is everything here that Fencer needs"},
    {"completion", 0, NULL, cmd_completion, "bash|zsh",
     "a script that completes commands and options"},
    {.name = NULL},
};

static int print_help(const struct command *c, struct err *e)
{
    unsigned with_arguments = FOR_RUN | FOR_TEST | FOR_VERIFY;
    struct buf text = {0};
    bool ok;

    buf_printf(&text, "usage: fencer %s %s%s\n\n", c->name, c->operands,
               c->options & with_arguments ? " [-- arguments]" : "");
    options_help(c->options, &text);
    ok = tell_text(&text, e);
    buf_free(&text);
    return ok ? EXIT_NOTHING_FOUND : EXIT_UNFINISHED;
}

int command_call(const struct command *c, int argc, char **argv)
{
    struct options o;
    struct err e = {""};
    int code = EXIT_USAGE;

    if (!c->options)
        return c->run_own(argc, argv);
    if (options_parse(&o, c->options, argc, argv, &e))
        code = o.help ? print_help(c, &e) : c->run(&o, &e);
    fflush(stdout);
    if (*e.text)
        fprintf(stderr, "fencer: %s\n", e.text);
    return code;
}

/* ---- fencer completion ---- */

int cmd_completion(int argc, char **argv)
{
    const char *names[COMMANDS_MAX] = {NULL};
    enum option_command sets[COMMANDS_MAX];
    bool zsh = argc == 2 && strcmp(argv[1], "zsh") == 0;
    struct buf text = {0};
    struct err e = {""};
    int code = EXIT_NOTHING_FOUND;

    if (!zsh && (argc != 2 || strcmp(argv[1], "bash") != 0)) {
        fprintf(stderr, "fencer: usage: fencer completion bash|zsh\n");
        return EXIT_USAGE;
    }
    for (size_t i = 0; commands[i].name; i++) {
        CHECK(i + 1 < COMMANDS_MAX);
        names[i] = commands[i].name;
        sets[i] = commands[i].options;
    }
    options_completion(names, sets, zsh, &text);
    if (!tell_text(&text, &e)) {
        fprintf(stderr, "fencer: %s\n", e.text);
        code = EXIT_UNFINISHED;
    }
    buf_free(&text);
    return code;
}
