/* SPDX-License-Identifier: MIT
 *
 * Picks the command.  What it does, and its exit code, is the command's.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "cmd/cmd.h"

static const struct command *find_command(const char *name)
{
    const struct command *c = commands;

    while (c->name && strcmp(c->name, name) != 0)
        c++;
    return c->name ? c : NULL;
}

static int print_help(void)
{
    printf("Fencer tells what relaxed memory does to a C program.\n\n");
    for (const struct command *c = commands; c->name; c++)
        printf("  fencer %-10s %-20s %s\n", c->name, c->operands, c->words);
    printf("\nPROG is one or more .c files, or a program linked by fencer "
           "cc;\nits arguments follow `--'.  `fencer COMMAND --help' lists a "
           "command's options.\n");
    return EXIT_NOTHING_FOUND;
}

static int refuse_command(const char *name)
{
    const char *names[COMMANDS_MAX], *near;
    size_t count = 0;

    for (; commands[count].name; count++)
        names[count] = commands[count].name;
    near = words_nearest(name, names, count);
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
        return print_help();
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        printf("fencer %s\n", FENCER_VERSION);
        return EXIT_NOTHING_FOUND;
    }

    const struct command *c = find_command(name);

    return c ? command_call(c, argc - 1, argv + 1) : refuse_command(name);
}
