/* SPDX-License-Identifier: MIT
 *
 * A program that gives up when it sees an impossible state.
 *
 * expect: 1 abort
 * fixed: 0
 * options: --model sc
 */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = 50, right = 50;

static void *move(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    left -= 10;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    right += 10;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a;

    pthread_create(&a, NULL, move, NULL);
    pthread_mutex_lock(&lock);
    if (left + right != 100)
        abort();
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    return 0;
}
