/* SPDX-License-Identifier: MIT
 *
 * Two workers that take JOBS jobs from a queue.  With -DBUG only one of them is
 * told that there will be no more: the other one waits for ever.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum { WORKERS = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int queue[JOBS], head, tail, done[JOBS];
static bool closed;

static void *work(void *unused)
{
    for (;;) {
        int job;

        pthread_mutex_lock(&mutex);
        while (head == tail && !closed)
            pthread_cond_wait(&more, &mutex);
        if (head == tail) {
            pthread_mutex_unlock(&mutex);
            return unused;
        }
        job = queue[head++];
        pthread_mutex_unlock(&mutex);
        done[job]++;
    }
}

static void put(int job)
{
    pthread_mutex_lock(&mutex);
    queue[tail++] = job;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&mutex);
}

static void close_queue(void)
{
    pthread_mutex_lock(&mutex);
    closed = true;
#ifdef BUG
    pthread_cond_signal(&more);
#else
    pthread_cond_broadcast(&more);
#endif
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t workers[WORKERS];

    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (int i = 0; i < JOBS; i++)
        put(i);
    close_queue();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    for (int i = 0; i < JOBS; i++)
        assert(done[i] == 1);
    return 0;
}
