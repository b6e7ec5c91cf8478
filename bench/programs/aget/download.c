/* SPDX-License-Identifier: MIT
 *
 * A segment's thread writes what arrives into its part of the file, advances
 * the segment's offset, which nobody else writes, and adds to the number of
 * bytes written, which has a lock.  The lock does not order the offset: on PSO
 * the sum may be seen before it.
 */
#include "download.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness.h"
#include "net.h"

#define BUFFER 64

struct download download;
char output_file[MAX_FILE];
volatile long bytes_written;
static pthread_mutex_t bytes_written_lock = PTHREAD_MUTEX_INITIALIZER;

static void give_up(const char *why)
{
    fprintf(stderr, "aget: %s\n", why);
    exit(2);
}

static struct connection *request(const char *text)
{
    struct connection *c = net_connect(download.host);

    if (!c)
        give_up("no such host");
    net_send(c, text);
    return c;
}

/* Where the body begins in the first piece of an answer. */
static int skip_head(const char *answer, int length, const char *status)
{
    const char *end = strstr(answer, "\r\n\r\n");

    if (strncmp(answer + strlen("HTTP/1.1 "), status, strlen(status)) != 0)
        give_up("the server refused");
    if (!end || end + 4 > answer + length)
        give_up("the server's answer makes no sense");
    return (int)(end + 4 - answer);
}

bool download_find_length(void)
{
    char text[BUFFER], answer[BUFFER + 1];
    struct connection *c;
    const char *field;
    int length;

    snprintf(text, sizeof text, "HEAD %s HTTP/1.1\r\n\r\n", download.path);
    c = request(text);
    length = net_receive(c, answer, BUFFER);
    net_close(c);
    answer[length] = '\0';
    skip_head(answer, length, "200");
    field = strstr(answer, "Content-Length: ");
    if (!field)
        return false;
    download.length = strtol(field + strlen("Content-Length: "), NULL, 10);
    return download.length > 0 && download.length <= MAX_FILE;
}

void download_make_segments(int count)
{
    long each = download.length / count;

    download.segments = count;
    for (int i = 0; i < count; i++) {
        struct segment *s = &download.segment[i];

        s->first = s->offset = i * each;
        s->end = i == count - 1 ? download.length : (i + 1) * each;
    }
}

static struct connection *request_rest(const struct segment *s)
{
    char text[BUFFER];

    snprintf(text, sizeof text,
             "GET %s HTTP/1.1\r\nRange: bytes=%ld-%ld\r\n\r\n", download.path,
             s->offset, s->end - 1);
    return request(text);
}

/* As pwrite does it: how many bytes went into the file at that offset. */
static long write_at(const struct segment *s, const char *bytes, long count,
                     long offset)
{
    if (offset + count > s->end)
        count = s->end - offset;
    memcpy(output_file + offset, bytes, (size_t)count);
    return count;
}

/* The first piece has the head before it. */
static void fetch_first(struct segment *s, struct connection *c)
{
    char piece[BUFFER + 1];
    int length = net_receive(c, piece, BUFFER), body;
    long written;

    piece[length] = '\0';
    body = skip_head(piece, length, "206");
    written = write_at(s, piece + body, length - body, s->offset);
    s->offset = s->offset + written; /* first-offset */
    FENCE(1, ss);
    pthread_mutex_lock(&bytes_written_lock);
    bytes_written += written; /* first-count */
    pthread_mutex_unlock(&bytes_written_lock);
}

static bool fetch_next(struct segment *s, struct connection *c)
{
    char piece[BUFFER];
    int length = net_receive(c, piece, BUFFER);
    long written;

    if (length == 0)
        return false;
    written = write_at(s, piece, length, s->offset);
    s->offset += written; /* offset */
    FENCE(2, ss);
    pthread_mutex_lock(&bytes_written_lock);
    bytes_written += written; /* count */
    pthread_mutex_unlock(&bytes_written_lock);
    return true;
}

void *download_segment(void *segment)
{
    struct segment *s = segment;
    struct connection *c;

    if (s->offset == s->end)
        return NULL;
    c = request_rest(s);
    fetch_first(s, c);
    while (s->offset < s->end && fetch_next(s, c))
        ;
    net_close(c);
    progress_show(bytes_written, download.length);
    return NULL;
}

void progress_show(long done, long total)
{
    if (download.show_progress)
        fprintf(stderr, "\r%3ld %%", 100 * done / total);
}
