/* SPDX-License-Identifier: MIT
 *
 * An update is lost, on SC already.
 */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *add(void *unused)
{
    int seen = counter;

    counter = seen + 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
