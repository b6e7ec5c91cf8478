/* SPDX-License-Identifier: MIT
 *
 * malloc and its family, on the runtime's arena.
 *
 * Memory that the C library allocated itself (by a function without a model)
 * is freed by the C library: its heap is one brk region, see libc_core.c.
 */
#include "libc/libc.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#define PAGE 4096u

extern char end; /* of the program's data: where brk starts */

static bool is_libc_heap(const void *p)
{
    return (const char *)p >= &end && (char *)p < (char *)sbrk(0);
}

static bool is_power_of_two(size_t n)
{
    return n && !(n & (n - 1));
}

MODEL_IS(void *, malloc, (size_t size),
         rt_malloc(size, 16, false, rt_take_site_known()))

MODEL(void *, calloc, (size_t count, size_t size))
{
    uint32_t site = rt_take_site_known();
    size_t all;

    if (__builtin_mul_overflow(count, size, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return rt_malloc(all, 16, true, site);
}

static void release(void *p, uint32_t site)
{
    if (!p)
        return;
    if (is_libc_heap(p)) {
        libc_needs_process("free");
        free(p);
        return;
    }
    rt_free(p, site);
}

MODEL_DOES(free, (void *p), release(p, rt_take_site_known()))
MODEL_ALSO(cfree, free)

/* A block of libc's own grows into one of ours. */
static size_t size_of(void *p, uint32_t site)
{
    size_t size = is_libc_heap(p) ? malloc_usable_size(p) : rt_malloc_size(p);

    if (!size)
        rt_free(p, site); /* freed, or none of ours: says which */
    return size;
}

void *libc_resize(void *p, size_t size, uint32_t site)
{
    size_t old;
    void *to;

    if (!p)
        return rt_malloc(size, 16, false, site);
    if (!size) {
        release(p, site);
        return NULL;
    }
    old = size_of(p, site);
    to = rt_malloc(size, 16, false, site);
    if (!to)
        return NULL;
    libc_copy(to, p, old < size ? old : size, site);
    release(p, site);
    return to;
}

MODEL_IS(void *, realloc, (void *p, size_t size),
         libc_resize(p, size, rt_take_site_known()))

MODEL(void *, reallocarray, (void *p, size_t count, size_t size))
{
    uint32_t site = rt_take_site_known();
    size_t all;

    if (__builtin_mul_overflow(count, size, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return libc_resize(p, all, site);
}

static void *aligned(size_t align, size_t size, uint32_t site)
{
    if (!is_power_of_two(align)) {
        errno = EINVAL;
        return NULL;
    }
    return rt_malloc(size, align, false, site);
}

MODEL_IS(void *, aligned_alloc, (size_t align, size_t size),
         aligned(align, size, rt_take_site_known()))
MODEL_ALSO(memalign, aligned_alloc)

MODEL(int, posix_memalign, (void **result, size_t align, size_t size))
{
    uint32_t site = rt_take_site_known();
    int before = errno;
    void *p;

    if (!is_power_of_two(align) || align % sizeof(void *))
        return EINVAL;
    p = rt_malloc(size, align, false, site);
    errno = before; /* it reports by its result alone */
    if (!p)
        return ENOMEM;
    libc_out(result, &p, sizeof p, site);
    return 0;
}

MODEL_IS(void *, valloc, (size_t size),
         rt_malloc(size, PAGE, false, rt_take_site_known()))

MODEL(void *, pvalloc, (size_t size))
{
    uint32_t site = rt_take_site_known();
    size_t pages;

    if (__builtin_add_overflow(size, PAGE - 1, &pages)) {
        errno = ENOMEM;
        return NULL;
    }
    return rt_malloc(pages & ~(size_t)(PAGE - 1), PAGE, false, site);
}

MODEL(size_t, malloc_usable_size, (void *p))
{
    rt_take_site_known();
    if (p && is_libc_heap(p))
        return malloc_usable_size(p);
    return p ? rt_malloc_size(p) : 0;
}

static void *duplicate(const void *from, size_t count, size_t end_size,
                       uint32_t site)
{
    char *to = rt_malloc(count + end_size, 16, false, site);

    if (!to)
        return NULL;
    libc_out(to, from, count, site);
    libc_out(to + count, "\0\0\0", end_size, site);
    return to;
}

static char *duplicate_text(const char *from, size_t max, uint32_t site)
{
    struct libc_text t;
    const char *text = libc_text(&t, from, max, site);

    return duplicate(text, strnlen(text, max), 1, site);
}

MODEL_IS(char *, strdup, (const char *text),
         duplicate_text(text, SIZE_MAX, libc_enter()))
MODEL_IS(char *, strndup, (const char *text, size_t max),
         duplicate_text(text, max, libc_enter()))
MODEL_ALSO(__strdup, strdup)
MODEL_ALSO(__strndup, strndup)

MODEL(wchar_t *, wcsdup, (const wchar_t *text))
{
    uint32_t site = libc_enter_draining_known();
    size_t count = wcslen(text) * sizeof *text;

    libc_reads(text, count + sizeof *text, site);
    return duplicate(text, count, sizeof *text, site);
}
