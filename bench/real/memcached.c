/* SPDX-License-Identifier: MIT
 *
 * memcached with one worker and no helpers, and a client beside it in the same
 * process: what it stores it gets back, and then it tells the server to end.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int memcached_main(int count, char **words);

static const char asked[] = "set k 0 0 5\r\nvalue\r\nget k\r\n";
static const char wanted[] = "STORED\r\nVALUE k 0 5\r\nvalue\r\nEND\r\n";
static const char end[] = "shutdown\r\n";

static struct sockaddr_un place = {.sun_family = AF_UNIX};

static void *client(void *unused)
{
    char got[sizeof wanted] = "";
    size_t size = 0;
    int s = socket(AF_UNIX, SOCK_STREAM, 0);

    while (connect(s, (struct sockaddr *)&place, sizeof place) != 0)
        usleep(1000);
    assert(write(s, asked, sizeof asked - 1) == sizeof asked - 1);
    while (size < sizeof wanted - 1) {
        ssize_t more = read(s, got + size, sizeof wanted - 1 - size);

        assert(more > 0);
        size += (size_t)more;
    }
    assert(strcmp(got, wanted) == 0);
    assert(write(s, end, sizeof end - 1) == sizeof end - 1);
    close(s);
    return unused;
}

int main(void)
{
    char *words[] = {
        "memcached",
        "-A",
        "-U",
        "0",
        "-t",
        "1",
        "-m",
        "64",
        "-u",
        "root",
        "-s",
        place.sun_path,
        "-o",
        "no_lru_crawler,no_lru_maintainer,no_slab_reassign,no_hashexpand",
        NULL};
    char folder[] = "/tmp/memcached-XXXXXX";
    pthread_t thread;

    assert(mkdtemp(folder));
    snprintf(place.sun_path, sizeof place.sun_path, "%s/s", folder);
    assert(!pthread_create(&thread, NULL, client, NULL));
    memcached_main(sizeof words / sizeof *words - 1, words);
    assert(!pthread_join(thread, NULL));
    unlink(place.sun_path);
    rmdir(folder);
    return 0;
}
