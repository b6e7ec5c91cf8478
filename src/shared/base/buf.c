/* SPDX-License-Identifier: MIT
 *
 * Growing bytes, and whole files read into and written from them.
 */
#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void grow_bytes(struct buf *b, size_t more)
{
    CHECK(more < SIZE_MAX / 4 && b->count < SIZE_MAX / 4);

    size_t need = b->count + more + 1;

    if (need <= b->room)
        return;
    if (need < b->room * 2)
        need = b->room * 2;
    if (need < 64)
        need = 64;
    b->bytes = realloc(b->bytes, need);
    CHECK(b->bytes != NULL);
    b->room = need;
}

void buf_add(struct buf *b, const void *bytes, size_t n)
{
    grow_bytes(b, n);
    if (n > 0)
        memcpy(b->bytes + b->count, bytes, n);
    b->count += n;
    b->bytes[b->count] = '\0';
}

void buf_puts(struct buf *b, const char *text)
{
    buf_add(b, text, strlen(text));
}

void buf_putc(struct buf *b, char c)
{
    buf_add(b, &c, 1);
}

void buf_pad(struct buf *b, char c, size_t n)
{
    grow_bytes(b, n);
    memset(b->bytes + b->count, c, n);
    b->count += n;
    b->bytes[b->count] = '\0';
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    CHECK(n >= 0);

    grow_bytes(b, (size_t)n);
    va_start(args, fmt);
    vsnprintf(b->bytes + b->count, (size_t)n + 1, fmt, args);
    va_end(args);
    b->count += (size_t)n;
}

void buf_clear(struct buf *b)
{
    grow_bytes(b, 0);
    b->count = 0;
    b->bytes[0] = '\0';
}

void buf_free(struct buf *b)
{
    free(b->bytes);
    *b = (struct buf){NULL, 0, 0};
}

static bool read_all(struct buf *b, int fd, size_t max, struct err *e)
{
    size_t start = b->count;

    for (;;) {
        grow_bytes(b, 65536);

        ssize_t n = read(fd, b->bytes + b->count, 65536);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(e, "%s", strerror(errno));
        b->count += (size_t)n;
        b->bytes[b->count] = '\0';
        if (n == 0)
            return true;
        if (b->count - start > max)
            return err_set(e, "larger than %zu bytes", max);
    }
}

bool buf_read_file(struct buf *b, const char *path, size_t max, struct err *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        err_set(e, "%s", strerror(errno));
        return err_in(e, "%s", path);
    }

    bool ok = read_all(b, fd, max, e);

    close(fd);
    return ok || err_in(e, "%s", path);
}

bool file_has(const char *path, const struct buf *bytes)
{
    struct buf there = {0};
    struct err ignored;
    bool same = buf_read_file(&there, path, bytes->count, &ignored) &&
                there.count == bytes->count &&
                memcmp(there.bytes, bytes->bytes, bytes->count) == 0;

    buf_free(&there);
    return same;
}

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t k = write(fd, bytes, n);

        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return false;
        bytes += k;
        n -= (size_t)k;
    }
    return true;
}

static bool not_written(const char *path, int error, struct err *e)
{
    return err_set(e, "%s: %s", path, strerror(error));
}

/* A device or pipe cannot be renamed over: write straight into it. */
static bool is_plain(const char *path)
{
    struct stat st;

    return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

bool file_write(const char *path, const void *bytes, size_t n, struct err *e)
{
    char beside[PATH_MAX];
    bool plain = is_plain(path);

    if (snprintf(beside, sizeof(beside), plain ? "%s.%d.tmp" : "%s", path,
                 (int)getpid()) >= (int)sizeof(beside))
        return not_written(path, ENAMETOOLONG, e);

    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    if (fd < 0)
        return not_written(path, errno, e);

    bool ok = write_all(fd, bytes, n);
    int error = errno;

    if (close(fd) != 0 && ok) {
        ok = false;
        error = errno;
    }
    if (ok && plain && rename(beside, path) != 0) {
        ok = false;
        error = errno;
    }
    if (ok)
        return true;
    if (plain)
        unlink(beside);
    return not_written(path, error, e);
}

bool folder_make(const char *path, struct err *e)
{
    char part[PATH_MAX];
    size_t n = strlen(path);
    struct stat st;

    if (n == 0 || n >= sizeof(part))
        return err_set(e, "\"%s\" cannot be a folder's name", path);
    for (size_t i = 1; i <= n; i++) {
        if (i < n && path[i] != '/')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return err_set(e, "%s: %s", part, strerror(errno));
    }
    if (stat(path, &st) != 0)
        return err_set(e, "%s: %s", path, strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return err_set(e, "%s: is not a folder", path);
    return true;
}
