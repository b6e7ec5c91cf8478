/* SPDX-License-Identifier: MIT
 *
 * Peterson's lock without fences: spin loops with two loads.
 */
#include <assert.h>
#include <pthread.h>

volatile int wants[2], turn, inside;

static void *enter(void *number)
{
    int me = *(int *)number;

    wants[me] = 1;
    turn = 1 - me;
    while (wants[1 - me] && turn == 1 - me)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    wants[me] = 0;
    return NULL;
}

int main(void)
{
    static int numbers[] = {0, 1};
    pthread_t a, b;

    pthread_create(&a, NULL, enter, &numbers[0]);
    pthread_create(&b, NULL, enter, &numbers[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
