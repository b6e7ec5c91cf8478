/* SPDX-License-Identifier: MIT
 *
 * Fails on TSO and on every weaker model: each thread misses the other's store.
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
    assert(seen_x || seen_y);
    return 0;
}
