/* SPDX-License-Identifier: MIT
 *
 * Store buffering with a look at some text in between: reading text does not
 * empty a store buffer, so both threads may still miss the other's store.  A
 * thread's own text is what it wrote, buffered or not.
 *
 * expect: 1 assertion failed: r0 || r1
 * fixed: 0
 * options: --model tso --runs 5000
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include <fencer.h>

static volatile int x, y;
static int r0, r1;
static char names[2][16] = {"", "second"};

static void *first(void *none)
{
    strcpy(names[0], "first");
    x = 1;
#ifdef FIXED
    fencer_fence_sl();
#endif
    assert(strlen(names[0]) == 5 && strcmp(names[0], "first") == 0);
    r0 = y;
    return none;
}

static void *second(void *none)
{
    y = 1;
#ifdef FIXED
    fencer_fence_full();
#endif
    assert(memcmp(names[1], "second", 7) == 0);
    r1 = x;
    return none;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(r0 || r1);
    return 0;
}
