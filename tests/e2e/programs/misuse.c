/* SPDX-License-Identifier: MIT
 *
 * A mutex that is destroyed while somebody holds it.
 *
 * expect: 1 misuse
 * fixed: 0
 * options: --model sc
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a;

    pthread_create(&a, NULL, holder, NULL);
#ifdef FIXED
    pthread_join(a, NULL);
    pthread_mutex_destroy(&lock);
#else
    pthread_mutex_destroy(&lock);
    pthread_join(a, NULL);
#endif
    return 0;
}
