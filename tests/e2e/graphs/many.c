/* SPDX-License-Identifier: MIT
 *
 * An execution of many events, of which few have a choice: one thread fills a
 * list of N numbers, the other one adds them up.  With BUG it may begin too
 * soon.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int list[N];
static sem_t filled;

static void *fill(void *unused)
{
    for (int i = 0; i < N - 1; i++)
        list[i] = i;
#ifdef BUG
    sem_post(&filled);
    list[N - 1] = N - 1;
#else
    list[N - 1] = N - 1;
    sem_post(&filled);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    int sum = 0;

    sem_init(&filled, 0, 0);
    pthread_create(&thread, NULL, fill, NULL);
    sem_wait(&filled);
    for (int i = 0; i < N; i++)
        sum += list[i];
    assert(sum == N * (N - 1) / 2);
    pthread_join(thread, NULL);
    return 0;
}
