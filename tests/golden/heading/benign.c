/* SPDX-License-Identifier: MIT
 *
 * Store buffering that nobody minds: both may miss the other's flag.
 */
#include <assert.h>
#include <pthread.h>

static int left_flag, right_flag, left_saw, right_saw;

static void *left(void *unused)
{
    left_flag = 1;
    left_saw = right_flag;
    return unused;
}

static void *right(void *unused)
{
    right_flag = 1;
    right_saw = left_flag;
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(left_saw + right_saw <= 2);
    return 0;
}
