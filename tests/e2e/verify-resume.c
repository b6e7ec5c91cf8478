/* SPDX-License-Identifier: MIT
 *
 * For verify-resume.sh and verify-lost.sh: 14400 executions, with -DFEW=2
 * 57600, with -DFEW=4 8294400, none of which fails.  N threads that add 1 by a
 * load and a store have (N!)^2 of them.
 */
#include <pthread.h>

#ifndef FEW
#define FEW 1
#endif
enum { MANY = 5, ALL = MANY + FEW };

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
    pthread_t t[ALL];

    for (int i = 0; i < ALL; i++)
        pthread_create(&t[i], NULL, i < MANY ? add_to_many : add_to_few, NULL);
    for (int i = 0; i < ALL; i++)
        pthread_join(t[i], NULL);
    return many <= MANY && few <= FEW ? 0 : 1;
}
