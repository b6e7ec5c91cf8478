/* SPDX-License-Identifier: MIT
 *
 * What the threads do is chosen, and where their memory is depends on who
 * comes first: a witness makes the same choices and finds its own memory.
 */
#include <fencer.h>
#include <pthread.h>
#include <stdlib.h>

static int x, y, z;
static int *volatile made;
fencer_ghost long r0, r1;

static void *left(void *unused)
{
    int *mine = malloc(sizeof(int));

    *mine = 7;
    switch (fencer_choose(3)) {
    case 1:
        x = 1;
        r0 = y;
        break;
    case 2:
        z = 1;
        r0 = x;
        break;
    default:
        made = mine;
    }
    return unused;
}

static void *right(void *unused)
{
    int *mine = malloc(sizeof(int));
    int *theirs = made;

    if (fencer_choose(2)) {
        y = 1;
        r1 = theirs ? *theirs : x;
    } else {
        x = 1;
        r1 = z;
    }
    free(mine);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
