/* SPDX-License-Identifier: MIT
 *
 * A thread waits for a signal that nobody sends, and main waits for the thread.
 */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *waits(void *none)
{
    pause();
    return none;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, waits, NULL);
    pthread_join(t, NULL);
    return 0;
}
