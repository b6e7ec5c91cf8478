/* Store buffering; each store is a statement of three lines. */
#include <assert.h>
#include <pthread.h>

int x, y, r0, r1;

/* clang-format off */
static void *left(void *p)
{
    x =
        1 +
        0 * r0;
    r0 = y;
    return p;
}

static void *right(void *p)
{
    __atomic_store_n(
        &y,
        1, __ATOMIC_RELAXED);
    r1 = x;
    return p;
}
/* clang-format on */

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(r0 || r1);
}
