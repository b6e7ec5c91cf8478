/* SPDX-License-Identifier: MIT
 *
 * One connection serves one request: the head first, in one piece with the
 * first few bytes of the body, as it comes from a real server; then the body.
 */
#include "net.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOST "files.example.org"
#define PIECE 8

const char net_file[] =
    "It was a store that wanted to be seen by all the rest.";

struct connection {
    char head[48];
    bool head_sent;
    long at, end;
};

struct connection *net_connect(const char *host)
{
    struct connection *c;

    if (strcmp(host, HOST) != 0)
        return NULL;
    c = calloc(1, sizeof *c);
    return c;
}

void net_close(struct connection *c)
{
    free(c);
}

static void refuse(struct connection *c, const char *why)
{
    snprintf(c->head, sizeof c->head, "HTTP/1.1 %s\r\n\r\n", why);
    c->at = c->end = 0;
}

static void offer(struct connection *c, long from, long to, bool whole)
{
    c->at = from;
    c->end = to;
    snprintf(c->head, sizeof c->head,
             "HTTP/1.1 %s\r\nContent-Length: %ld\r\n\r\n",
             whole ? "200 OK" : "206 Partial", to - from);
}

void net_send(struct connection *c, const char *request)
{
    const char *range = strstr(request, "Range: bytes=");
    long from, last, size = (long)strlen(net_file);
    char *dash;

    if (strncmp(request, "HEAD ", 5) == 0) {
        offer(c, 0, size, true);
        c->at = c->end;
        return;
    }
    if (strncmp(request, "GET ", 4) != 0 || !range) {
        refuse(c, "400 Bad Request");
        return;
    }
    from = strtol(range + strlen("Range: bytes="), &dash, 10);
    last = strtol(dash + 1, NULL, 10);
    if (from < 0 || last < from || last >= size)
        refuse(c, "416 Bad Range");
    else
        offer(c, from, last + 1, false);
}

static int receive_body(struct connection *c, char *buffer, int room)
{
    long left = c->end - c->at;
    int count = PIECE < room ? PIECE : room;

    if (left < count)
        count = (int)left;
    memcpy(buffer, net_file + c->at, (size_t)count);
    c->at += count;
    return count;
}

int net_receive(struct connection *c, char *buffer, int room)
{
    int length;

    if (c->head_sent)
        return receive_body(c, buffer, room);
    length = (int)strlen(c->head);
    if (length > room)
        return 0;
    memcpy(buffer, c->head, (size_t)length);
    c->head_sent = true;
    return length + receive_body(c, buffer + length, room - length);
}
