/* SPDX-License-Identifier: MIT
 *
 * A read from a pipe that nobody has written to would stop every fiber.  It
 * is refused by name and line, and never hangs.
 *
 * expect: 3 read
 * fixed: 0
 * options: --model sc --runs 20
 */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused)
{
    (void)unused;
    if (write(ends[1], "x", 1) != 1)
        return &ends;
    return NULL;
}

int main(void)
{
    pthread_t a;
    char byte;

    if (pipe(ends) != 0)
        return 1;
#ifdef FIXED
    writer(NULL);
    pthread_create(&a, NULL, writer, NULL);
#else
    (void)a;
    (void)writer;
#endif
    if (read(ends[0], &byte, 1) != 1)
        return 1;
#ifdef FIXED
    pthread_join(a, NULL);
#endif
    return 0;
}
