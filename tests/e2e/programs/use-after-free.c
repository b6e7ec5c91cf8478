/* SPDX-License-Identifier: MIT
 *
 * A worker that outlives its job.
 *
 * expect: 1 use after free
 * fixed: 0
 * options: --model sc
 */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *worker(void *arg)
{
    volatile int *job = arg;

    *job = *job + 1;
    return NULL;
}

int main(void)
{
    pthread_t a;
    int *job = calloc(1, sizeof *job);

    pthread_create(&a, NULL, worker, job);
#ifdef FIXED
    pthread_join(a, NULL);
    free(job);
#else
    free(job);
    pthread_join(a, NULL);
#endif
    return 0;
}
