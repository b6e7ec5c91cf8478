/* SPDX-License-Identifier: MIT
 *
 * Two groups of threads that increment: (M!)^2 (N!)^2 traces. */
#include <pthread.h>

static int many, few;

static void *add_to_many(void *unused)
{
    many = many + 1;
    return unused;
}

static void *add_to_few(void *unused)
{
    few = few + 1;
    return unused;
}

int main(void)
{
    pthread_t t[M + N];

    for (int i = 0; i < M + N; i++)
        pthread_create(&t[i], NULL, i < M ? add_to_many : add_to_few, NULL);
    for (int i = 0; i < M + N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
