/* SPDX-License-Identifier: MIT
 *
 * The load that was reported fails an assertion before anybody else can do
 * anything: the execution has no time for the rest of its witness.
 */
#include <assert.h>
#include <pthread.h>

volatile int data, flag;

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
