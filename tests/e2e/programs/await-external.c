/* SPDX-License-Identifier: MIT
 *
 * A spin loop on memory that a library function writes: swab() has no model.
 * The loop ends, so nobody may call it a livelock.
 *
 * expect: 0
 * options: --model tso --runs 300
 */
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static volatile char text[16];

static void *write_it(void *unused)
{
    swab("ab", (char *)text, 2);
    return unused;
}

static void *wait_for_it(void *unused)
{
    while (text[0] != 'b')
        ;
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, wait_for_it, NULL);
    pthread_create(&b, NULL, write_it, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
