/* SPDX-License-Identifier: MIT
 *
 * Segments of a file, each fetched by a thread of its own.
 */
#ifndef DOWNLOAD_H
#define DOWNLOAD_H

#include <stdbool.h>

#define MAX_SEGMENTS 8
#define MAX_FILE 128

struct segment {
    long first, end;      /* the bytes [first, end) */
    volatile long offset; /* [first, offset) has been written */
};

struct download {
    const char *host, *path;
    long length;
    int segments;
    struct segment segment[MAX_SEGMENTS];
    bool show_progress;
};

extern struct download download;
extern char output_file[MAX_FILE]; /* in place of a file on disk */
extern volatile long bytes_written;

/* Asks the server how long the file is. */
bool download_find_length(void);

void download_make_segments(int count);

/* Thread body: fetches the struct segment, from its offset on. */
void *download_segment(void *segment);

void progress_show(long done, long total);

#endif
