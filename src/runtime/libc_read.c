/* SPDX-License-Identifier: MIT
 *
 * Functions that only read text and memory.  They drain, then the real one
 * runs; before that the memory is checked as a load of it would be, so that
 * strlen of freed memory is a finding at its line.
 */
#include "runtime/libc.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

MODEL(strlen)
MODEL(strnlen)
MODEL(strcmp)
MODEL(strncmp)
MODEL(strcasecmp)
MODEL(strncasecmp)
MODEL(strcoll)
MODEL(memcmp)
MODEL(bcmp)
MODEL(memchr)
MODEL(memrchr)
MODEL(rawmemchr)
MODEL(strchr)
MODEL(strrchr)
MODEL(strchrnul)
MODEL(index)
MODEL(rindex)
MODEL(strstr)
MODEL(strcasestr)
MODEL(strspn)
MODEL(strcspn)
MODEL(strpbrk)
MODEL(memmem)
MODEL(atoi)
MODEL(atol)
MODEL(atoll)
MODEL(atof)
void *__fencer___rawmemchr(const void *from, int byte);

/* Text in read-only memory needs no drain: nobody can have changed it. */
static uint32_t enter(const void *a, const void *b)
{
    uint32_t site = rt_take_site();

    if (!libc_is_constant(a) || (b && !libc_is_constant(b)))
        libc_drain(site);
    return site;
}

static const char *text(const char *a)
{
    libc_reads_text(a, enter(a, NULL));
    return a;
}

static void texts(const char *a, const char *b)
{
    uint32_t site = enter(a, b);

    libc_reads_text(a, site);
    libc_reads_text(b, site);
}

/* At most n bytes of text. */
static void some_text(const char *a, size_t n, uint32_t site)
{
    size_t length;

    if (!n)
        return;
    libc_reads(a, 1, site);
    length = strnlen(a, n);
    libc_reads(a, length < n ? length + 1 : n, site);
}

/* Where both must be readable: up to the byte that decides. */
static void equal_part(const char *a, const char *b, size_t n)
{
    uint32_t site = enter(a, b);
    size_t i = 0;

    if (!n)
        return;
    libc_reads(a, 1, site);
    libc_reads(b, 1, site);
    while (i + 1 < n && a[i] && a[i] == b[i])
        i++;
    libc_reads(a, i + 1, site);
    libc_reads(b, i + 1, site);
}

static void bytes(const void *a, size_t n)
{
    libc_reads(a, n, enter(a, NULL));
}

size_t __fencer_strlen(const char *a)
{
    return strlen(text(a));
}

size_t __fencer_strnlen(const char *a, size_t n)
{
    some_text(a, n, enter(a, NULL));
    return strnlen(a, n);
}

int __fencer_strcmp(const char *a, const char *b)
{
    equal_part(a, b, SIZE_MAX);
    return strcmp(a, b);
}

int __fencer_strncmp(const char *a, const char *b, size_t n)
{
    equal_part(a, b, n);
    return strncmp(a, b, n);
}

int __fencer_strcasecmp(const char *a, const char *b)
{
    texts(a, b);
    return strcasecmp(a, b);
}

int __fencer_strncasecmp(const char *a, const char *b, size_t n)
{
    uint32_t site = enter(a, b);

    some_text(a, n, site);
    some_text(b, n, site);
    return strncasecmp(a, b, n);
}

int __fencer_strcoll(const char *a, const char *b)
{
    texts(a, b);
    return strcoll(a, b);
}

int __fencer_memcmp(const void *a, const void *b, size_t n)
{
    uint32_t site = enter(a, b);

    libc_reads(a, n, site);
    libc_reads(b, n, site);
    return memcmp(a, b, n);
}

int __fencer_bcmp(const void *a, const void *b, size_t n)
{
    return __fencer_memcmp(a, b, n);
}

/* C11 lets memchr's n exceed the object when the byte comes before its end. */
void *__fencer_memchr(const void *a, int byte, size_t n)
{
    uint32_t site = enter(a, NULL);
    const char *found = n ? memchr(a, byte, n) : NULL;

    libc_reads(a, found ? (size_t)(found - (const char *)a) + 1 : n, site);
    return (void *)found;
}

void *__fencer_memrchr(const void *a, int byte, size_t n)
{
    bytes(a, n);
    return memrchr(a, byte, n);
}

void *__fencer_rawmemchr(const void *a, int byte)
{
    uint32_t site = enter(a, NULL);
    char *found;

    libc_reads(a, 1, site);
    found = rawmemchr(a, byte);
    libc_reads(a, (size_t)(found - (const char *)a) + 1, site);
    return found;
}

void *__fencer___rawmemchr(const void *a, int byte)
{
    return __fencer_rawmemchr(a, byte);
}

char *__fencer_strchr(const char *a, int c)
{
    return strchr(text(a), c);
}

char *__fencer_strrchr(const char *a, int c)
{
    return strrchr(text(a), c);
}

char *__fencer_strchrnul(const char *a, int c)
{
    return strchrnul(text(a), c);
}

char *__fencer_index(const char *a, int c)
{
    return strchr(text(a), c);
}

char *__fencer_rindex(const char *a, int c)
{
    return strrchr(text(a), c);
}

char *__fencer_strstr(const char *a, const char *b)
{
    texts(a, b);
    return strstr(a, b);
}

char *__fencer_strcasestr(const char *a, const char *b)
{
    texts(a, b);
    return strcasestr(a, b);
}

size_t __fencer_strspn(const char *a, const char *b)
{
    texts(a, b);
    return strspn(a, b);
}

size_t __fencer_strcspn(const char *a, const char *b)
{
    texts(a, b);
    return strcspn(a, b);
}

char *__fencer_strpbrk(const char *a, const char *b)
{
    texts(a, b);
    return strpbrk(a, b);
}

void *__fencer_memmem(const void *a, size_t n, const void *b, size_t m)
{
    uint32_t site = enter(a, b);

    libc_reads(a, n, site);
    libc_reads(b, m, site);
    return memmem(a, n, b, m);
}

int __fencer_atoi(const char *a)
{
    return atoi(text(a));
}

long __fencer_atol(const char *a)
{
    return atol(text(a));
}

long long __fencer_atoll(const char *a)
{
    return atoll(text(a));
}

double __fencer_atof(const char *a)
{
    return atof(text(a));
}
