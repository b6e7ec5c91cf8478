/* SPDX-License-Identifier: MIT
 *
 * Two threads publish what mixes.c computes.  It is declared to look at its
 * arguments alone, so it is neither a fence nor a reason for a process of its
 * own; UNKNOWN is the same without that word.
 */
#include <assert.h>
#include <pthread.h>

#ifdef UNKNOWN
int mix(int a, int b);
#else
__attribute__((const)) int mix(int a, int b);
#endif

static volatile int x, y;
static int seen[2];

static void *left(void *arg)
{
    x = 1;
    seen[0] = mix(y, 1);
    return arg;
}

static void *right(void *arg)
{
    y = 1;
    seen[1] = mix(x, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen[0] != mix(0, 1) || seen[1] != mix(0, 1));
    return 0;
}
