/* SPDX-License-Identifier: MIT
 *
 * Functions that only read text and memory.  What they read are loads of the
 * running thread, byte by byte where they look for an end, into private memory,
 * and the real function runs on that.  So they order nothing, as loads do not.
 *
 * The memory is checked as a load of it would be, so that strlen of freed
 * memory is a finding at its line.
 */
#include "libc/libc.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/sched.h"

/* A call that changes nothing: a loop that does nothing else may wait. */
static uint32_t enter(void)
{
    return rt_take_site_known_quiet();
}

/* ---- Text ---- */

struct two {
    struct libc_text a, b;
};

static const char *text(struct libc_text *t, const char *a)
{
    return libc_text(t, a, SIZE_MAX, enter());
}

static void texts(struct two *t, const char *a, const char *b, size_t max)
{
    uint32_t site = enter();

    libc_text(&t->a, a, max, site);
    libc_text(&t->b, b, max, site);
}

static unsigned char byte_at(const char *a, uint32_t site)
{
    unsigned char byte;

    libc_in(&byte, a, 1, site);
    return byte;
}

static int compare_unseen(const char *a, const char *b, size_t n, uint32_t site)
{
    size_t i = 0;

    if (!n)
        return 0;
    libc_reads(a, 1, site);
    libc_reads(b, 1, site);
    while (i + 1 < n && a[i] && a[i] == b[i])
        i++;
    libc_reads(a, i + 1, site);
    libc_reads(b, i + 1, site);
    return (unsigned char)a[i] - (unsigned char)b[i];
}

/* Both are read up to the byte that decides. */
static int compare(const char *a, const char *b, size_t n)
{
    uint32_t site = enter();

    if (libc_is_unseen())
        return compare_unseen(a, b, n, site);
    for (size_t i = 0; i < n; i++) {
        unsigned char one = byte_at(a + i, site), two = byte_at(b + i, site);

        if (one != two || !one)
            return one - two;
    }
    return 0;
}

MODEL(size_t, strlen, (const char *a))
{
    struct libc_text t;

    return strlen(text(&t, a));
}

MODEL(size_t, strnlen, (const char *a, size_t n))
{
    struct libc_text t;

    return strnlen(libc_text(&t, a, n, enter()), n);
}

MODEL_IS(int, strcmp, (const char *a, const char *b), compare(a, b, SIZE_MAX))
MODEL_IS(int, strncmp, (const char *a, const char *b, size_t n),
         compare(a, b, n))

MODEL(int, strncasecmp, (const char *a, const char *b, size_t n))
{
    struct two t;

    texts(&t, a, b, n);
    return strncasecmp(t.a.text, t.b.text, n);
}

/* type name(const char *a, const char *b) */
#define OF_TWO(type, name)                                                     \
    MODEL(type, name, (const char *a, const char *b))                          \
    {                                                                          \
        struct two t;                                                          \
                                                                               \
        texts(&t, a, b, SIZE_MAX);                                             \
        return name(t.a.text, t.b.text);                                       \
    }

OF_TWO(int, strcasecmp)
OF_TWO(int, strcoll)
OF_TWO(size_t, strspn)
OF_TWO(size_t, strcspn)

/* The same, where the result is a place in a. */
#define IN_FIRST(name)                                                         \
    MODEL(char *, name, (const char *a, const char *b))                        \
    {                                                                          \
        struct two t;                                                          \
                                                                               \
        texts(&t, a, b, SIZE_MAX);                                             \
        return libc_text_at(&t.a, name(t.a.text, t.b.text));                   \
    }

IN_FIRST(strstr)
IN_FIRST(strcasestr)
IN_FIRST(strpbrk)

/* char *name(const char *a, int c): a place in a. */
#define OF_BYTE(name)                                                          \
    MODEL(char *, name, (const char *a, int c))                                \
    {                                                                          \
        struct libc_text t;                                                    \
                                                                               \
        text(&t, a);                                                           \
        return libc_text_at(&t, name(t.text, c));                              \
    }

OF_BYTE(strchr)
OF_BYTE(strrchr)
OF_BYTE(strchrnul)
MODEL_ALSO(index, strchr)
MODEL_ALSO(rindex, strrchr)

/* type name(const char *a): a number. */
#define NUMBER(type, name)                                                     \
    MODEL(type, name, (const char *a))                                         \
    {                                                                          \
        struct libc_text t;                                                    \
                                                                               \
        return name(text(&t, a));                                              \
    }

NUMBER(int, atoi)
NUMBER(long, atol)
NUMBER(long long, atoll)
NUMBER(double, atof)

/* ---- Bytes ---- */

#define PIECE 64

/* One piece of each: how they compare. */
static int compare_piece(const char *a, const char *b, size_t n, uint32_t site)
{
    char one[PIECE], two[PIECE];

    libc_in(one, a, n, site);
    libc_in(two, b, n, site);
    return memcmp(one, two, n);
}

MODEL(int, memcmp, (const void *a, const void *b, size_t n))
{
    uint32_t site = enter();
    int found = 0;

    if (libc_is_unseen()) {
        libc_reads(a, n, site);
        libc_reads(b, n, site);
        return memcmp(a, b, n);
    }
    for (size_t done = 0; done < n && !found; done += PIECE)
        found = compare_piece((const char *)a + done, (const char *)b + done,
                              n - done < PIECE ? n - done : PIECE, site);
    return found;
}

MODEL_ALSO(bcmp, memcmp)

/* C11 lets memchr's n exceed the object when the byte comes before its end. */
static void *find_byte(const char *a, char byte, size_t n, uint32_t site)
{
    if (libc_is_unseen() && n) {
        char *found = memchr(a, byte, n);

        libc_reads(a, found ? (size_t)(found - a) + 1 : n, site);
        return found;
    }
    for (size_t i = 0; i < n; i++)
        if ((char)byte_at(a + i, site) == byte)
            return (char *)a + i;
    return NULL;
}

MODEL_IS(void *, memchr, (const void *a, int byte, size_t n),
         find_byte(a, (char)byte, n, enter()))
MODEL_IS(void *, rawmemchr, (const void *a, int byte),
         find_byte(a, (char)byte, PTRDIFF_MAX, enter()))
MODEL_ALSO(__rawmemchr, rawmemchr)

MODEL(void *, memrchr, (const void *a, int byte, size_t n))
{
    uint32_t site = enter();

    while (n-- > 0)
        if (byte_at((const char *)a + n, site) == (unsigned char)byte)
            return (char *)a + n;
    return NULL;
}

MODEL(void *, memmem, (const void *a, size_t n, const void *b, size_t m))
{
    uint32_t site = enter();

    for (size_t i = 0; m <= n && i <= n - m; i++) {
        size_t same = 0;

        while (same < m && byte_at((const char *)a + i + same, site) ==
                               byte_at((const char *)b + same, site))
            same++;
        if (same == m)
            return (char *)a + i;
    }
    return NULL;
}
