/* SPDX-License-Identifier: MIT
 *
 * Right on SC and TSO; fails on PSO, where the flag overtakes the data.
 */
#include <assert.h>
#include <pthread.h>

static int data, flag;

static void *writer(void *unused)
{
    data = 1;
    flag = 1;
    return unused;
}

static void *reader(void *unused)
{
    if (flag)
        assert(data == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
