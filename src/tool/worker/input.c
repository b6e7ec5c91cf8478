/* SPDX-License-Identifier: MIT */
#include "worker/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define INPUT_MAX (64 << 20)

static int kept = -1; /* what came through a pipe */

static bool has_something(void)
{
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

    return poll(&p, 1, 0) > 0 && p.revents & (POLLIN | POLLHUP);
}

static bool copy_all(int to, struct err *e)
{
    char bytes[1 << 16];
    size_t all = 0;
    ssize_t n;

    while ((n = read(STDIN_FILENO, bytes, sizeof(bytes))) != 0) {
        if (n < 0 && errno == EINTR)
            return err_set(e, "stdin: stopped while it was read");
        if (n < 0 || write(to, bytes, (size_t)n) != n)
            return err_set(e, "stdin: %s", strerror(errno));
        if ((all += (size_t)n) > INPUT_MAX)
            return err_set(e, "stdin: more than 64 MB through a pipe, which "
                              "every execution reads: give it as a file");
    }
    return true;
}

bool input_keep(struct err *e)
{
    static bool looked;
    struct stat st;

    if (looked || fstat(STDIN_FILENO, &st) != 0 ||
        !(S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) || !has_something())
        return true;
    looked = true;
    kept = memfd_create("fencer-input", MFD_CLOEXEC);
    if (kept < 0)
        return err_set(e, "no shared memory: %s", strerror(errno));
    return copy_all(kept, e);
}

/* Every process reads a file from its own beginning.  A terminal would stop a
 * process that is not in front of it: those get nothing. */
void input_give(void)
{
    char path[32];
    struct stat st;
    int fd = -1;

    if (kept >= 0) {
        snprintf(path, sizeof(path), "/proc/self/fd/%d", kept);
        fd = open(path, O_RDONLY);
    } else if (isatty(STDIN_FILENO)) {
        fd = open("/dev/null", O_RDONLY);
    } else if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode)) {
        off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);

        fd = open("/proc/self/fd/0", O_RDONLY);
        if (fd >= 0 && at > 0)
            lseek(fd, at, SEEK_SET);
    }
    if (fd > STDIN_FILENO) {
        dup2(fd, STDIN_FILENO);
        close(fd);
    }
}
