/* SPDX-License-Identifier: MIT
 *
 * For verify-resume.sh and verify-lost.sh: 57600 executions, none of which
 * fails.  N threads that add 1 by a load and a store have (N!)^2 of them.
 */
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
    pthread_t t[7];

    for (int i = 0; i < 7; i++)
        pthread_create(&t[i], NULL, i < 5 ? add_to_many : add_to_few, NULL);
    for (int i = 0; i < 7; i++)
        pthread_join(t[i], NULL);
    return many <= 5 && few <= 2 ? 0 : 1;
}
