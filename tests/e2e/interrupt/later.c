/* SPDX-License-Identifier: MIT
 *
 * Fails on TSO, but not in the execution that shows first that TSO leaves SC:
 * the third thread must have come first, too.  Only an exploration of TSO finds
 * that; where there was none, nobody knows.
 */
#include <assert.h>
#include <pthread.h>

static int x, y, z, seen_x, seen_y, seen_z;

static void *left(void *unused)
{
    x = 1;
    seen_y = y;
    seen_z = z;
    return unused;
}

static void *right(void *unused)
{
    y = 1;
    seen_x = x;
    return unused;
}

static void *third(void *unused)
{
    z = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_create(&c, NULL, third, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(seen_x || seen_y || !seen_z);
    return 0;
}
