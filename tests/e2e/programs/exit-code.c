/* SPDX-License-Identifier: MIT
 *
 * A test that says by its exit code that it failed.
 *
 * expect: 1 exit code
 * fixed: 0
 * options: --model sc
 */
#include <pthread.h>
#include <stddef.h>

static volatile int done;

static void *worker(void *unused)
{
    (void)unused;
    done = 1;
    return NULL;
}

int main(void)
{
    pthread_t a;
    int seen;

    pthread_create(&a, NULL, worker, NULL);
#ifdef FIXED
    pthread_join(a, NULL);
    seen = done;
#else
    seen = done;
    pthread_join(a, NULL);
#endif
    return seen ? 0 : 3;
}
