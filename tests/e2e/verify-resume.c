/* SPDX-License-Identifier: MIT
 *
 * For verify-resume.sh: 90090 executions, none of which fails: 13! / (5! 4! 4!).
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *times)
{
    for (int i = 0; i < *(int *)times; i++)
        atomic_fetch_add(&counter, 1);
    return NULL;
}

int main(void)
{
    static int times[3] = {5, 4, 4};
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, count, &times[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return counter == 13 ? 0 : 1;
}
