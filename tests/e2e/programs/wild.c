/* SPDX-License-Identifier: MIT
 *
 * A pointer and its tag, written in the wrong order: a reader that takes the
 * number for a pointer.
 *
 * expect: 1 memory that is not there
 * fixed: 0
 * options: --model sc
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static volatile uintptr_t payload = 0x123456789000;
static volatile int is_pointer;
static int target = 7;

static void *publish(void *unused)
{
    (void)unused;
#ifdef FIXED
    payload = (uintptr_t)&target;
    is_pointer = 1;
#else
    is_pointer = 1;
    payload = (uintptr_t)&target;
#endif
    return NULL;
}

int main(void)
{
    pthread_t a;
    int value = 7;

    pthread_create(&a, NULL, publish, NULL);
    if (is_pointer)
        value = *(volatile int *)payload;
    pthread_join(a, NULL);
    return value != 7;
}
