/* SPDX-License-Identifier: MIT
 *
 * Two critical sections and a reader without the lock: which comes first, and
 * what is read, 3 values each way. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int z;

static void *set(void *value)
{
    pthread_mutex_lock(&lock);
    z = *(int *)value;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *look(void *unused)
{
    (void)z;
    return unused;
}

int main(void)
{
    static int one = 1, two = 2;
    pthread_t a, b, c;

    pthread_create(&a, NULL, set, &one);
    pthread_create(&b, NULL, set, &two);
    pthread_create(&c, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
