/* SPDX-License-Identifier: MIT
 *
 * What a file is.  To ask leaves nothing behind, so it needs no process; who
 * changes files has one anyway.
 */
#include "libc/libc.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>

static int status(int folder, const char *path, struct stat *to, int flags)
{
    uint32_t site = libc_enter();
    struct libc_text text;
    struct stat s;
    int result =
        fstatat(folder, libc_text(&text, path, SIZE_MAX, site), &s, flags);

    if (!result)
        libc_out(to, &s, sizeof s, site);
    return result;
}

static struct stat *of64(struct stat64 *to)
{
    _Static_assert(sizeof(struct stat64) == sizeof(struct stat), "one type");
    return (struct stat *)(void *)to;
}

MODEL_IS(int, stat, (const char *path, struct stat *to),
         status(AT_FDCWD, path, to, 0))
MODEL_IS(int, stat64, (const char *path, struct stat64 *to),
         status(AT_FDCWD, path, of64(to), 0))
MODEL_IS(int, lstat, (const char *path, struct stat *to),
         status(AT_FDCWD, path, to, AT_SYMLINK_NOFOLLOW))
MODEL_IS(int, lstat64, (const char *path, struct stat64 *to),
         status(AT_FDCWD, path, of64(to), AT_SYMLINK_NOFOLLOW))
MODEL_IS(int, fstatat,
         (int folder, const char *path, struct stat *to, int flags),
         status(folder, path, to, flags))
MODEL_IS(int, fstatat64,
         (int folder, const char *path, struct stat64 *to, int flags),
         status(folder, path, of64(to), flags))
