/* SPDX-License-Identifier: MIT
 *
 * The log is text: how many bytes are there, then first, end and offset of
 * each segment.  It is written by whoever got the signal while the segments'
 * threads go on, and without their lock: known to be sloppy, for the offsets
 * may be newer than the sum.  They are never older, its author thought.
 */
#include "resume.h"

#include <stdio.h>
#include <stdlib.h>

#include "../harness.h"
#include "download.h"

static char log_file[256]; /* in place of a file on disk */

void resume_save_log(void)
{
    long bytes = bytes_written; /* see-count */
    long offset[MAX_SEGMENTS];
    int used;

    FENCE(3, ll);
    for (int i = 0; i < download.segments; i++)
        offset[i] = download.segment[i].offset; /* see-offset */
    used =
        snprintf(log_file, sizeof log_file, "%ld %d", bytes, download.segments);
    for (int i = 0; i < download.segments; i++)
        used += snprintf(log_file + used, sizeof log_file - (size_t)used,
                         " %ld %ld %ld", download.segment[i].first,
                         download.segment[i].end, offset[i]);
}

bool resume_read_log(void)
{
    char *at = log_file;

    if (!*at)
        return false;
    bytes_written = strtol(at, &at, 10);
    download.segments = (int)strtol(at, &at, 10);
    for (int i = 0; i < download.segments; i++) {
        struct segment *s = &download.segment[i];

        s->first = strtol(at, &at, 10);
        s->end = strtol(at, &at, 10);
        s->offset = strtol(at, &at, 10);
    }
    return true;
}
