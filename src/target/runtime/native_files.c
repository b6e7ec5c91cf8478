/* SPDX-License-Identifier: MIT
 *
 * Files in a program that is explored as graphs.  Threads run alone, each from
 * the beginning of the program, so what the first thread does before there is
 * another one is done again and again in one process.  To read a file and close
 * it can be repeated: it has the same result, and leaves nothing behind.  That
 * nothing is left open is looked at when the second thread is made.  All else
 * that the runtime cannot undo is refused by name.
 */
#include <fcntl.h>
#include <string.h>

#include "runtime/native_inside.h"

#define DESCRIPTORS 256

static bool used;    /* in this job */
static unsigned had; /* descriptors that were open when the program began */

/* These read a file, and end that.  What they write to memory is noted
 * (libc_wrote), so it can be undone. */
static const char *const repeatable[] = {
    "fopen", "fopen64",        "fclose", "feof",
    "fgetc", "fgetc_unlocked", "getc",   "getc_unlocked",
    "fgets", "fgets_unlocked", "fread",  "fread_unlocked",
    "fseek", "ftell",          "rewind", NULL};

static unsigned count_open(void)
{
    unsigned count = 0;

    for (int fd = 0; fd < DESCRIPTORS; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

void native_forget_files(void)
{
    used = false;
    had = 0;
}

/* Once is enough: it is as before when the program begins anew. */
void native_begin_files(void)
{
    if (!had)
        had = count_open();
}

bool native_may_repeat(const char *call)
{
    static char why[96];

    for (uint32_t i = 0; !rt.multi && repeatable[i]; i++) {
        if (strcmp(call, repeatable[i]) == 0) {
            used = true;
            return true;
        }
    }
    rt_print(why, sizeof why, "%s%s", call,
             rt.multi ? ", called while there are threads" : "");
    native_refuse(why, rt.current->site);
}

void native_check_files(uint32_t site)
{
    if (used && count_open() != had)
        native_refuse("a file that is open while there are threads", site);
}
