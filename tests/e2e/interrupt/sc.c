/* SPDX-License-Identifier: MIT
 *
 * Fails on SC already: an increment is lost.
 */
#include <assert.h>
#include <pthread.h>

static int count;

static void *add(void *unused)
{
    count++;
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2);
    return 0;
}
