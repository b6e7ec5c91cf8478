/* SPDX-License-Identifier: MIT
 *
 * Right on every model, but not robust: an execution of TSO that SC does not
 * have does no harm.
 */
#include <assert.h>
#include <pthread.h>

static int x, y, seen_x, seen_y;

static void *left(void *unused)
{
    x = 1;
    seen_y = y;
    return unused;
}

static void *right(void *unused)
{
    y = 1;
    seen_x = x;
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x && y);
    return 0;
}
