/* SPDX-License-Identifier: MIT
 *
 * exit runs handlers, newest first, then destructors, in whatever thread it
 * is called; exit inside a handler goes on with the rest.
 *
 * expect: 1 exit code 5
 * fixed: 0
 * options: --model sc --runs 10
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int order;

static void first(void)
{
    assert(order++ == 3);
}

static void second(void)
{
    assert(order++ == 2);
}

static void third(void)
{
    assert(order++ == 1);
#ifdef FIXED
    exit(0);
#else
    exit(5);
#endif
}

static void with_code(int code, void *argument)
{
    assert(code == 9 && argument == &order);
    assert(order++ == 0);
}

__attribute__((destructor)) static void last(void)
{
    assert(order == 4);
    puts("last");
}

static void *leaves(void *none)
{
    (void)none;
    exit(9);
}

int main(void)
{
    pthread_t other;

    assert(order == 0);
    atexit(first);
    atexit(second);
    atexit(third);
    on_exit(with_code, &order);
    pthread_create(&other, NULL, leaves, NULL);
    pthread_join(other, NULL);
    return 1;
}
