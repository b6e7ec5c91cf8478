/* SPDX-License-Identifier: MIT
 *
 * Only the command line of the contract is used here.
 */
#include "tool.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs argv with its output in `log`; the exit code, or -1. */
static int execute(const char *const *argv, const char *log)
{
    int status;
    pid_t pid = fork();

    REQUIRE(pid >= 0, "cannot fork");
    if (!pid) {
        int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);

        dup2(out, 1);
        dup2(out, 2);
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static void copy_to_stderr(const char *path)
{
    FILE *f = fopen(path, "r");
    char line[512];

    while (f && fgets(line, sizeof line, f))
        fputs(line, stderr);
    if (f)
        fclose(f);
}

bool tool_compile(const struct tool *t, const char *source, const char *program)
{
    char include[512], log[512];
    const char *argv[] = {t->fencer, "cc", "-g",    include,
                          source,    "-o", program, NULL};

    snprintf(include, sizeof include, "-I%s", t->include);
    snprintf(log, sizeof log, "%s/%s.cc.log", t->scratch, t->tag);
    if (execute(argv, log) == 0)
        return true;
    fprintf(stderr, "%s: does not compile\n", source);
    copy_to_stderr(log);
    return false;
}

static int remove_one(const char *path, const struct stat *st, int kind,
                      struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    return remove(path);
}

bool tool_test(const struct tool *t, const char *program, const char *argument,
               const char *out)
{
    char log[512];
    const char *argv[] = {t->fencer, "test",   "--time", "1000",
                          "--model", "papers", "--jobs", "1",
                          "--out",   out,      program,  argument ? "--" : NULL,
                          argument,  NULL};
    int code;

    nftw(out, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    snprintf(log, sizeof log, "%s/%s.log", t->scratch, t->tag);
    code = execute(argv, log);
    if (code == 0 || code == 1)
        return true;
    fprintf(stderr, "%s: fencer test ends with %d\n", t->tag, code);
    copy_to_stderr(log);
    return false;
}
