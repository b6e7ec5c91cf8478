/* SPDX-License-Identifier: MIT
 *
 * A reader waits for a writer in the same program: the wait is the
 * scheduler's.  When the writer never writes, the read is refused.
 *
 * expect: 3 read() would stop every thread
 * fixed: 0
 * options: --model sc,tso --runs 20
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *none)
{
#ifdef FIXED
    char large[20000];

    assert(write(ends[1], "ping", 4) == 4);
    /* More than a pipe holds together with the rest: has to wait, too. */
    memset(large, 'x', sizeof(large));
    for (int i = 0; i < 5; i++)
        assert(write(ends[1], large, sizeof(large)) == sizeof(large));
    close(ends[1]);
#endif
    return none;
}

int main(void)
{
    pthread_t other;
    struct pollfd fd;
    char text[4096];
    long total = 0, n;

    assert(pipe(ends) == 0);
    fd = (struct pollfd){.fd = ends[0], .events = POLLIN};
    assert(poll(&fd, 1, 0) == 0);
    pthread_create(&other, NULL, writer, NULL);
    assert(read(ends[0], text, 4) == 4 && memcmp(text, "ping", 4) == 0);
    while ((n = read(ends[0], text, sizeof(text))) > 0)
        total += n;
    assert(total == 100000);
    pthread_join(other, NULL);
    return 0;
}
