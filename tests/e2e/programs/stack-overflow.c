/* SPDX-License-Identifier: MIT
 *
 * A recursion whose end another thread may move.
 *
 * expect: 1 stack overflow
 * fixed: 0
 * options: --model sc --runs 100
 */
#include <pthread.h>
#include <stddef.h>

static volatile int bottom;

static int deep(int level)
{
    volatile char block[256];

    block[level & 255] = (char)level;
    if (level == bottom)
        return block[level & 255];
    return deep(level - 1) + block[level & 255];
}

static void *raise_bottom(void *unused)
{
    (void)unused;
    bottom = 1000;
    return NULL;
}

int main(void)
{
    pthread_t a;
    volatile int sum;

    pthread_create(&a, NULL, raise_bottom, NULL);
#ifdef FIXED
    bottom = 0;
    pthread_join(a, NULL);
    bottom = 0;
    sum = deep(100);
#else
    sum = deep(100);
    pthread_join(a, NULL);
#endif
    (void)sum;
    return 0;
}
