/* SPDX-License-Identifier: MIT
 *
 * A check that no execution comes to: the flag is never 2.  With -DREACHED it
 * is looked at before.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int flag;
static int data;

static void fail(const char *words)
{
    fputs(words, stderr);
    abort();
}

static void *writer(void *argument)
{
    data = 1;
    atomic_store(&flag, 1);
    return argument;
}

static void *reader(void *argument)
{
#ifdef REACHED
    if (atomic_load(&flag) == 1 && data != 1)
#else
    if (atomic_load(&flag) == 2 && data != 1)
#endif
        fail("no data");
    return argument;
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
