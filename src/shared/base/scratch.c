/* SPDX-License-Identifier: MIT
 *
 * As scratch.h says.
 */
#include "base/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "fencer-cc-"
#define TRIES 100 /* that others may take for left over before we lock them */

/* A folder that is locked by us from now on; -1: it is gone, or another's. */
static int lock_folder(int where, const char *name)
{
    int fd =
        openat(where, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;

    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0 && st.st_nlink > 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static void remove_files(int folder)
{
    DIR *d = fdopendir(dup(folder));
    struct dirent *entry;

    while (d && (entry = readdir(d)))
        unlinkat(folder, entry->d_name, 0);
    if (d)
        closedir(d);
}

static void sweep(const char *where)
{
    DIR *d = opendir(where);
    struct dirent *entry;

    while (d && (entry = readdir(d))) {
        int fd;

        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0)
            continue;
        fd = lock_folder(dirfd(d), entry->d_name);
        if (fd < 0)
            continue;
        remove_files(fd);
        unlinkat(dirfd(d), entry->d_name, AT_REMOVEDIR);
        close(fd);
    }
    if (d)
        closedir(d);
}

bool scratch_make(const char *where, struct scratch *s, struct err *e)
{
    sweep(where);
    for (int i = 0; i < TRIES; i++) {
        snprintf(s->folder, sizeof(s->folder), "%s/" PREFIX "XXXXXX", where);
        if (!mkdtemp(s->folder))
            break;
        s->lock = lock_folder(AT_FDCWD, s->folder);
        /* Somebody else's sweep may have come before our lock. */
        if (s->lock >= 0 && access(s->folder, F_OK) == 0)
            return true;
        if (s->lock >= 0)
            close(s->lock);
    }
    s->folder[0] = '\0';
    return err_set(e, "cannot make a folder in %s: %s", where, strerror(errno));
}

void scratch_remove(struct scratch *s)
{
    if (!*s->folder)
        return;
    remove_files(s->lock);
    rmdir(s->folder);
    close(s->lock);
    s->folder[0] = '\0';
}
