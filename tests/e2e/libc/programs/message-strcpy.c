/* SPDX-License-Identifier: MIT
 *
 * A message passed by strcpy and a flag: PSO lets the flag overtake the text,
 * TSO does not, and a fence mends it.
 *
 * expect: 1 assertion failed
 * fixed: 0
 * options: --model pso --runs 5000
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <fencer.h>

static char text[16];
static volatile int ready;

static void *writer(void *none)
{
#ifdef PRINTS
    snprintf(text, sizeof(text), "%s", "message");
#else
    strcpy(text, "message");
#endif
#ifdef FIXED
    fencer_fence_ss();
#endif
    ready = 1;
    return none;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, writer, NULL);
    while (!ready)
        ;
    assert(strcmp(text, "message") == 0);
    pthread_join(other, NULL);
    return 0;
}
