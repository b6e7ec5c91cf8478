/* SPDX-License-Identifier: MIT
 *
 * Loaded into fencer (LD_PRELOAD): what fencer starts runs under callgrind, and
 * fencer itself does not.  The folder COUNTS gets the counts: one file when the
 * program is about to wait for its next job, because fencer kills it there, and
 * one when it ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARGUMENTS_MAX 64
#define VARIABLES_MAX 1024

/* Called in a child that has its parent's memory (vfork), and changes none. */
int execve(const char *path, char *const argv[], char *const envp[])
{
    char counts[4096], *variables[VARIABLES_MAX + 1];
    char *args[ARGUMENTS_MAX + 1] = {
        "valgrind",
        "--quiet",
        "--tool=callgrind",
        "--dump-before=wait_for_job",
        counts,
        (char *)path,
    };
    int n = 6, kept = 0;

    snprintf(counts, sizeof counts, "--callgrind-out-file=%s/%%p",
             getenv("COUNTS"));
    for (int i = 1; argv[0] && argv[i] && n < ARGUMENTS_MAX; i++)
        args[n++] = argv[i];
    /* Not into valgrind, which starts programs itself. */
    for (int i = 0; envp[i] && kept < VARIABLES_MAX; i++) {
        if (strncmp(envp[i], "LD_PRELOAD=", 11) != 0)
            variables[kept++] = envp[i];
    }
    variables[kept] = NULL;
    return (int)syscall(SYS_execve, "/usr/bin/valgrind", args, variables);
}
