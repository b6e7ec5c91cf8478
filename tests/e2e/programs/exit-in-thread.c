/* SPDX-License-Identifier: MIT
 *
 * exit in a thread ends the program while main waits for ever.
 *
 * expect: 1 exit code 4
 * fixed: 0
 * options: --model tso --runs 50
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void bye(void)
{
    puts("bye");
}

static void *worker(void *unused)
{
    (void)unused;
#ifdef FIXED
    exit(0);
#else
    exit(4);
#endif
}

int main(void)
{
    pthread_t a;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    atexit(bye);
    pthread_mutex_lock(&lock);
    pthread_create(&a, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    return 9;
}
