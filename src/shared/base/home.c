/* SPDX-License-Identifier: MIT
 *
 * The tool may be called through a link, or by a name that PATH completes: only
 * the kernel knows where it lies.
 */
#include "base/home.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool home_path(const char *name, char path[PATH_MAX], struct err *e)
{
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    size_t room;

    if (n <= 0)
        return err_set(e, "cannot find the folder of fencer");
    path[n] = '\0';

    char *file = strrchr(path, '/') + 1;

    room = (size_t)(path + PATH_MAX - file);
    if (strlen(name) >= room)
        return err_set(e, "the folder of fencer has too long a name");
    memcpy(file, name, strlen(name) + 1);
    return true;
}
