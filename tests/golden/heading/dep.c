/* A pointer is published after a full fence, and the reader follows it: with
 * --deps PSLO keeps the two loads in order. */
#include <assert.h>
#include <fencer.h>
#include <pthread.h>

static int cell, spare = 1;
static int *published = &spare;

static void *publish(void *unused)
{
    cell = 1;
    fencer_fence_full();
    published = &cell;
    return unused;
}

int main(void)
{
    pthread_t a;
    int *p;

    pthread_create(&a, NULL, publish, NULL);
    p = published;
    assert(*p == 1);
    pthread_join(a, NULL);
    return 0;
}
