/* SPDX-License-Identifier: MIT
 *
 * A reader follows a pointer that a fenced writer published: PSLO lets the
 * second load overtake the one its address depends on, as Alpha does.  The
 * report says so.
 *
 * expect: 1 Only machines that break dependent loads
 * fixed: 0
 * options: --model pslo --runs 20000
 */
#include <assert.h>
#include <pthread.h>

#include "fencer.h"

struct box {
    int value;
};

static struct box fresh, old = {1};
static struct box *shared = &old;

static void *publish(void *unused)
{
    fresh.value = 1;
    fencer_fence_full();
    shared = &fresh;
    return unused;
}

static void *follow(void *unused)
{
    struct box *p = shared;
#ifdef FIXED
    fencer_fence_ll();
#endif
    assert(p->value == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, publish, NULL);
    pthread_create(&b, NULL, follow, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
