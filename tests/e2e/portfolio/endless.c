/* One execution that never ends, and each step of which is an event. */
#include <pthread.h>
#include <stdint.h>

static volatile uint64_t n;

static void *count(void *unused)
{
    while (n < UINT64_MAX)
        n = n + 1;
    return unused;
}

int main(void)
{
    pthread_t a;

    pthread_create(&a, NULL, count, NULL);
    count(NULL);
    pthread_join(a, NULL);
    return 0;
}
