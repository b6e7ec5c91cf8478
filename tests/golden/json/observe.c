#include <fencer.h>
#include <pthread.h>

static volatile int x, y;
static int r0, r1;

static void *left(void *unused)
{
    x = 1;
    r0 = y;
    return unused;
}

static void *right(void *unused)
{
    y = 1;
    r1 = x;
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    fencer_observe("r0", r0);
    fencer_observe("r1", r1);
    return 0;
}
