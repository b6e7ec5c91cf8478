/* SPDX-License-Identifier: MIT
 *
 * A shared string with a reference count that is decremented, then read again
 * to see whether it was the last: between the two another thread may free the
 * string, and the count with it.
 *
 *   every model:  use after free
 *
 * -DFIXED uses the value that the decrement itself returned.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct text {
    atomic_int users;
    char bytes[24];
};

static void put(struct text *text)
{
#ifdef FIXED
    if (atomic_fetch_sub(&text->users, 1) == 1)
        free(text);
#else
    atomic_fetch_sub(&text->users, 1);
    if (atomic_load(&text->users) == 0)
        free(text);
#endif
}

static void *user(void *arg)
{
    struct text *text = arg;

    put(text);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    struct text *text = malloc(sizeof *text);

    atomic_init(&text->users, 2);
    strcpy(text->bytes, "shared by two threads");
    pthread_create(&a, NULL, user, text);
    pthread_create(&b, NULL, user, text);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
