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

MODEL(malloc)
MODEL(calloc)
MODEL(realloc)
MODEL(reallocarray)
MODEL(free)
MODEL(aligned_alloc)
MODEL(posix_memalign)
MODEL(memalign)
MODEL(valloc)
MODEL(pvalloc)
MODEL(malloc_usable_size)
MODEL(strdup)
MODEL(strndup)
MODEL(wcsdup)
void __fencer_cfree(void *p);
char *__fencer___strdup(const char *text);
char *__fencer___strndup(const char *text, size_t max);

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

void *__fencer_malloc(size_t size)
{
    return rt_malloc(size, 16, false, rt_take_site_known());
}

void *__fencer_calloc(size_t count, size_t size)
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

void __fencer_free(void *p)
{
    release(p, rt_take_site_known());
}

void __fencer_cfree(void *p)
{
    release(p, rt_take_site_known());
}

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

void *__fencer_realloc(void *p, size_t size)
{
    return libc_resize(p, size, rt_take_site_known());
}

void *__fencer_reallocarray(void *p, size_t count, size_t size)
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

void *__fencer_aligned_alloc(size_t align, size_t size)
{
    return aligned(align, size, rt_take_site_known());
}

void *__fencer_memalign(size_t align, size_t size)
{
    return aligned(align, size, rt_take_site_known());
}

int __fencer_posix_memalign(void **result, size_t align, size_t size)
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

void *__fencer_valloc(size_t size)
{
    return rt_malloc(size, PAGE, false, rt_take_site_known());
}

void *__fencer_pvalloc(size_t size)
{
    uint32_t site = rt_take_site_known();
    size_t pages;

    if (__builtin_add_overflow(size, PAGE - 1, &pages)) {
        errno = ENOMEM;
        return NULL;
    }
    return rt_malloc(pages & ~(size_t)(PAGE - 1), PAGE, false, site);
}

size_t __fencer_malloc_usable_size(void *p)
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

char *__fencer_strdup(const char *text)
{
    uint32_t site = libc_enter();

    libc_reads_text(text, site);
    return duplicate(text, strlen(text), 1, site);
}

char *__fencer_strndup(const char *text, size_t max)
{
    uint32_t site = libc_enter();
    size_t count = strnlen(text, max);

    libc_reads(text, count, site);
    return duplicate(text, count, 1, site);
}

char *__fencer___strdup(const char *text)
{
    return __fencer_strdup(text);
}

char *__fencer___strndup(const char *text, size_t max)
{
    return __fencer_strndup(text, max);
}

wchar_t *__fencer_wcsdup(const wchar_t *text)
{
    uint32_t site = libc_enter();
    size_t count = wcslen(text) * sizeof *text;

    libc_reads(text, count + sizeof *text, site);
    return duplicate(text, count, sizeof *text, site);
}
