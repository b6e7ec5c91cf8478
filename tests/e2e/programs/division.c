/* SPDX-License-Identifier: MIT
 *
 * An average over a count that may still be zero.
 *
 * expect: 1 arithmetic
 * fixed: 0
 * options: --model sc
 */
#include <pthread.h>
#include <stddef.h>

static volatile int sum, count;

static void *add(void *unused)
{
    (void)unused;
    sum = sum + 10;
    count = count + 1;
    return NULL;
}

int main(void)
{
    pthread_t a;
    volatile int average = 0;

    pthread_create(&a, NULL, add, NULL);
#ifdef FIXED
    if (count)
#endif
        average = sum / count;
    pthread_join(a, NULL);
    return average > 10;
}
