/* SPDX-License-Identifier: MIT
 *
 * Bytes that grow: text being put together, a file being read or written.
 * `bytes` always has a NUL after its `count` bytes.  A zeroed struct buf is
 * empty and ready; buf_free gives its memory back.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct buf {
    char *bytes;
    size_t count, room;
};

void buf_add(struct buf *b, const void *bytes, size_t n);
void buf_puts(struct buf *b, const char *text);
void buf_putc(struct buf *b, char c);
void buf_pad(struct buf *b, char c, size_t n); /* n times c */
void buf_printf(struct buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void buf_clear(struct buf *b); /* keeps the memory */
void buf_free(struct buf *b);

/* Appends the whole file; at most `max` bytes. */
bool buf_read_file(struct buf *b, const char *path, size_t max, struct err *e);

/* Does the file hold these bytes, and nothing else? */
bool file_has(const char *path, const struct buf *bytes);

/* The file appears whole or not at all: written beside it, then renamed. */
bool file_write(const char *path, const void *bytes, size_t n, struct err *e);

/* The folder and those above it exist afterwards. */
bool folder_make(const char *path, struct err *e);

#endif
