/* Message passing without atomics: the flag and the message race. */
#include <pthread.h>
#include <stddef.h>

static int message, ready;

static void *sender(void *unused)
{
    message = 42;
    ready = 1;
    return unused;
}

static void *receiver(void *unused)
{
    int seen = 0;

    if (ready)
        seen = message;
    (void)seen;
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
