/* SPDX-License-Identifier: MIT
 *
 * As git does it: the command is a line for the shell, `cat' and nothing mean
 * none, and less, unless told otherwise, ends at once if all fits on the screen
 * (F), shows colours (R) and leaves the text there (X).
 */
#include "cmd/pager.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_FOUND 127 /* what a shell says */

const char *pager_command(void)
{
    const char *command = getenv("PAGER"), *term = getenv("TERM");

    if (!isatty(STDOUT_FILENO) || !term || strcmp(term, "dumb") == 0)
        return NULL;
    if (!command)
        return "less";
    return *command && strcmp(command, "cat") != 0 ? command : NULL;
}

bool pager_show(const char *command, const struct buf *text)
{
    void (*before)(int);
    FILE *to;
    int status;

    fflush(stdout);
    setenv("LESS", "FRX", 0);
    setenv("LV", "-c", 0);
    to = popen(command, "w");
    if (!to)
        return false;
    before = signal(SIGPIPE, SIG_IGN); /* it may end before the text does */
    fwrite(text->bytes, 1, text->count, to);
    status = pclose(to);
    signal(SIGPIPE, before);
    return status != -1 &&
           !(WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND);
}
