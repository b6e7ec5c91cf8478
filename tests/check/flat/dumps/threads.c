/* SPDX-License-Identifier: MIT
 *
 * main creates a thread under a condition, by a pointer, and joins it by a
 * handle that went through memory.
 */
#include <assert.h>
#include <pthread.h>

#include <fencer.h>

pthread_t handle;
int x;

static void *child(void *argument)
{
    x += *(int *)argument;
    return 0;
}

int main(void)
{
    static int two = 2;

    if (fencer_choose(2)) {
        pthread_create(&handle, 0, child, &two);
        pthread_join(handle, 0);
        assert(x == 2);
    }
}
