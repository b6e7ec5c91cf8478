/* SPDX-License-Identifier: MIT
 *
 * Picks the command.  What it does, and its exit code, is the command's.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "cmd/cmd.h"

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage;
    const char *words;
} commands[] = {
    {"cc", cmd_cc, "[any cc arguments]",
     "compile or link with instrumentation; CC=\"fencer cc\""},
    {"run", cmd_run, "[options] PROG",
     "executions on one model, from one seed"},
    {"test", cmd_test, "[options] PROG", "record, predict, expose, classify"},
    {"verify", cmd_verify, "[options] PROG",
     "every execution up to the bound asked for"},
    {"check", cmd_check, "[options] FILE.c",
     "a data type against a test, by SAT"},
    {"replay", cmd_replay, "FINDING",
     "that execution again, exactly; --gdb stops in it"},
    {"report", cmd_report, "[options] [DIR]", "the findings of a run, again"},
    {"trace", cmd_trace, "dump|stats FILE", "what is in a trace"},
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return NULL;
}

static int help(void)
{
    printf("Fencer tells what relaxed memory does to a C program.\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("  fencer %-6s %-20s %s\n", commands[i].name, commands[i].usage,
               commands[i].words);
    printf("\nPROG is one or more .c files, or a program linked by fencer "
           "cc;\nits arguments follow `--'.  `fencer COMMAND --help' lists a "
           "command's options.\n");
    return EXIT_NOTHING_FOUND;
}

static int unknown(const char *name)
{
    const char *names[COMMAND_COUNT];

    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;

    const char *near = words_nearest(name, names, COMMAND_COUNT);

    fprintf(stderr, "fencer: unknown command '%s'", name);
    if (near)
        fprintf(stderr, ", did you mean '%s'?\n", near);
    else
        fprintf(stderr, "; fencer --help lists the commands\n");
    return EXIT_USAGE;
}

/* Some build systems take no CC of two words: `fencer-cc' is one. */
static bool is_compiler(const char *called)
{
    const char *slash = called ? strrchr(called, '/') : NULL;

    return called && strcmp(slash ? slash + 1 : called, "fencer-cc") == 0;
}

int main(int argc, char **argv)
{
    if (is_compiler(argv[0]))
        return cmd_cc(argc, argv);
    if (argc < 2) {
        fprintf(stderr, "fencer: no command given; fencer --help lists them\n");
        return EXIT_USAGE;
    }

    const char *name = argv[1];

    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
        strcmp(name, "help") == 0)
        return help();
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        printf("fencer %s\n", FENCER_VERSION);
        return EXIT_NOTHING_FOUND;
    }

    const struct command *c = find(name);

    if (!c)
        return unknown(name);
    return c->run(argc - 1, argv + 1);
}
