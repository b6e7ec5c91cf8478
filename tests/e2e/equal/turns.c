/* SPDX-License-Identifier: MIT
 *
 * Two threads that are alike until it is one's turn: then one reads an int
 * where the other lets a mutex go.  What the one read is no state of a mutex.
 * -DHASTY: a turn that comes between two holds of the mutex is missed.
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int stage, first;

static void begin(void)
{
    first = 7;
}

static void *take_turn(void *number)
{
    pthread_once(&once, begin);
    pthread_mutex_lock(&lock);
    while (stage != *(int *)number) {
#ifdef HASTY
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
#endif
        pthread_cond_wait(&changed, &lock);
    }
    stage++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    int numbers[2] = {0, 1};
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, take_turn, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return stage == 2 && first == 7 ? 0 : 1;
}
