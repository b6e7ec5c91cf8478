/* Fails on SC, though the first SC execution does not, and the first that TSO
 * adds to it fails in the same way: SC's failure is still SC's.
 */
#include <assert.h>
#include <pthread.h>

static int x, y, seen_x, seen_y;

static void *other(void *unused)
{
    y = 1;
    seen_x = x;
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    x = 1;
    seen_y = y;
    pthread_join(t, NULL);
    assert(seen_x == 1 && seen_y == 0);
    return 0;
}
