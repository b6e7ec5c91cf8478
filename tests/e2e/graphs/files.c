/* SPDX-License-Identifier: MIT
 *
 * The first thread reads a file before there is another one: how often two
 * threads are to count.  With BUG counts are lost.  OPEN leaves the file open,
 * READS has a thread read it: these are not explored as graphs.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static char line[64];
static int seen;
static atomic_int counter;
static FILE *file;

static void *count(void *unused)
{
#ifdef READS
    file = fopen("count.txt", "r");
#endif
    for (int i = 0; i < atoi(line); i++) {
#ifdef BUG
        counter = counter + 1;
#else
        counter++;
#endif
    }
    return unused;
}

int main(void)
{
    pthread_t threads[2];

    assert(!seen && !line[0]); /* as it is at the beginning, every time */
    file = fopen("count.txt", "r");
    assert(file && fgets(line, sizeof line, file));
    seen = 1;
#ifndef OPEN
    fclose(file);
#endif
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2 * atoi(line));
    return 0;
}
