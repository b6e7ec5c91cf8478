/* No execution comes to its end. */
#include <fencer.h>
#include <pthread.h>

static int x;

static void *set(void *unused)
{
    x = 1;
    fencer_assume(0);
    return unused;
}

int main(void)
{
    pthread_t a;

    pthread_create(&a, NULL, set, NULL);
    fencer_assume(x == 2);
    pthread_join(a, NULL);
    return 0;
}
