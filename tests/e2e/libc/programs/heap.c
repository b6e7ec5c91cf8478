/* SPDX-License-Identifier: MIT
 *
 * The family of malloc, its errors included, and memory that the C library
 * allocates itself.
 *
 * expect: 0
 * options: --model tso,pso --runs 50
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void sizes(void)
{
    char *p = malloc(10), *q;

    memset(p, 'a', 10);
    p = realloc(p, 1000);
    assert(p && p[0] == 'a' && p[9] == 'a');
    p = realloc(p, 5);
    assert(p && p[4] == 'a' && malloc_usable_size(p) >= 5);
    assert(!realloc(p, 0));
    p = realloc(NULL, 8);
    q = malloc(0);
    assert(p && q && p != q);
    free(p);
    free(q);
    free(NULL);
    p = calloc(16, 4);
    for (int i = 0; i < 64; i++)
        assert(p[i] == 0);
    p = reallocarray(p, 100, 2);
    assert(p && p[0] == 0);
    free(p);
}

static void alignments(void)
{
    void *p;

    assert(posix_memalign(&p, 64, 100) == 0 && (uintptr_t)p % 64 == 0);
    free(p);
    assert(posix_memalign(&p, 3, 100) == EINVAL);
    p = aligned_alloc(256, 512);
    assert(p && (uintptr_t)p % 256 == 0);
    free(p);
    p = memalign(4096, 10);
    assert(p && (uintptr_t)p % 4096 == 0);
    free(p);
}

static volatile size_t too_many = SIZE_MAX / 2;

static void limits(void)
{
    errno = 0;
    assert(!malloc(too_many) && errno == ENOMEM);
    errno = 0;
    assert(!calloc(too_many, 4) && errno == ENOMEM);
    errno = 0;
    assert(!reallocarray(NULL, too_many, 4) && errno == ENOMEM);
}

static void *check(void *none)
{
    sizes();
    alignments();
    limits();
    return none;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, check, NULL);
    check(NULL);
    pthread_join(other, NULL);
    return 0;
}
