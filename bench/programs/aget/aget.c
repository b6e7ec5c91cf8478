/* SPDX-License-Identifier: MIT
 *
 * A downloader of the shape of aget, one of Relaxer's programs: one thread for
 * each segment of a file, and one that waits for signals and, on ^C, saves a
 * log from which the download can go on.  The network is a mock, the files are
 * in memory.  The user presses ^C at some time during the download; then the
 * program is started again, and goes on from the log.
 *
 *   sc: correct
 *   tso: correct
 *   pso: broken
 *   pslo: broken
 *   fenced: correct
 *   runs: 4000
 *
 * A segment's offset may come out after the sum that counts its bytes (1 for
 * the first piece, 2 for the others), or be read before the sum (3).  The log
 * then counts bytes that are fetched and counted once more.
 *
 *   without 1: pso ss first-offset first-count
 *   without 2: pso ss offset count
 *   without 3: pslo ll see-count see-offset
 *
 * Usage: aget [-p] [-n SEGMENTS]
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "download.h"
#include "net.h"
#include "resume.h"

static void *wait_for_signals(void *signals)
{
    int got;

    while (sigwait(signals, &got) == 0) {
        if (got == SIGALRM) {
            progress_show(bytes_written, download.length);
        } else {
            resume_save_log();
            break;
        }
    }
    return NULL;
}

static void block_signals(sigset_t *signals)
{
    sigemptyset(signals);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGALRM);
    pthread_sigmask(SIG_BLOCK, signals, NULL);
}

/* The first start, with ^C. */
static void start(int segments)
{
    pthread_t waiter, fetcher[MAX_SEGMENTS];
    sigset_t signals;

    if (!download_find_length()) {
        fprintf(stderr, "aget: nothing to fetch\n");
        exit(2);
    }
    download_make_segments(segments);
    block_signals(&signals);
    pthread_create(&waiter, NULL, wait_for_signals, &signals);
    for (int i = 0; i < segments; i++)
        pthread_create(&fetcher[i], NULL, download_segment,
                       &download.segment[i]);
    kill(getpid(), SIGINT);
    for (int i = 0; i < segments; i++)
        pthread_join(fetcher[i], NULL);
    pthread_join(waiter, NULL);
}

/* The second start, one segment after the other. */
static void start_again(void)
{
    if (!resume_read_log())
        return;
    for (int i = 0; i < download.segments; i++)
        download_segment(&download.segment[i]);
}

static int parse(int argc, char **argv)
{
    int segments = 2, c;

    while ((c = getopt(argc, argv, "pn:")) != -1) {
        if (c == 'p')
            download.show_progress = true;
        else if (c == 'n')
            segments = atoi(optarg);
        else
            exit(2);
    }
    if (segments < 1 || segments > MAX_SEGMENTS) {
        fprintf(stderr, "aget: 1 to %d segments\n", MAX_SEGMENTS);
        exit(2);
    }
    return segments;
}

int main(int argc, char **argv)
{
    int segments = parse(argc, argv);

    download.host = "files.example.org";
    download.path = "/story";
    start(segments);
    assert(bytes_written == download.length);
    assert(memcmp(output_file, net_file, (size_t)download.length) == 0);
    start_again();
    assert(bytes_written <= download.length);
    assert(memcmp(output_file, net_file, (size_t)download.length) == 0);
    return 0;
}
