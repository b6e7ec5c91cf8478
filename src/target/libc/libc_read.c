/* SPDX-License-Identifier: MIT
 *
 * Functions that only read text and memory.  Loads do not empty a store
 * buffer, and neither do these: of the thread's own stores only those to the
 * bytes about to be read must be in memory, then the real function runs.  They
 * read current memory; where a model lets loads return older values, nothing
 * older than this moment may follow.
 *
 * The memory is checked as a load of it would be, so that strlen of freed
 * memory is a finding at its line.
 */
#include "libc/libc.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/happened.h"
#include "runtime/machine.h"
#include "runtime/native.h"
#include "runtime/runtime_record.h"

#define SHOWN_MAX 256 /* bytes of one call that a trace tells of */

/* Text in read-only memory is nobody's to change. */
static uint32_t enter(const void *a, const void *b)
{
    uint32_t site = rt_take_site_known();
    const struct thread *t;

    if (libc_is_constant(a) && (!b || libc_is_constant(b)))
        return site;
    if (native_is_on())
        native_fence(FENCE_LL, ORDER_RELAXED, site);
    else if (rt.dense)
        rt_step(EV_LOAD, a, 1, site);
    t = rt_self();
    /* A store-load fence: what was before it goes first. */
    if (t->sl && t->buffered)
        rt_drain_and_cut();
    else
        rt_cut();
    HAPPENED(.kind = EV_FENCE, .bits = FENCE_LL, .order = ORDER_SEQ_CST,
             .site = site);
    return site;
}

/* A byte as the running thread sees it. */
static char peek(const char *a)
{
    return (char)machine_peek(rt_self(), (uint64_t)a, 1);
}

/* Own stores to the range reach memory. */
static void settle(const void *a, size_t n)
{
    if (rt_self()->buffered && !libc_is_constant(a))
        rt_drain_range((uint64_t)a, n);
}

/* The same up to and with a byte that is `stop`, at most n bytes. */
static void settle_until(const char *a, char stop, size_t n)
{
    size_t i = 0;

    if (!rt_self()->buffered || libc_is_constant(a))
        return;
    while (i < n && peek(a + i) != stop)
        i++;
    settle(a, i < n ? i + 1 : n);
}

/* Checked, and, in a trace, written down as the loads they are: so that a
 * report can show what was read.  Counted in any case: a trace must not change
 * the execution it shows. */
static void reads(const char *a, size_t n, uint32_t site)
{
    uint64_t at = (uint64_t)a, end = at + n;

    libc_reads(a, n, site);
    if (libc_is_constant(a) || libc_is_own(a))
        return;
    if (n > SHOWN_MAX)
        end = at + SHOWN_MAX;
    while (at < end) {
        unsigned size = machine_chunk(at, end - at);
        struct event e = {.kind = EV_LOAD, .size = (uint8_t)size, .site = site};

        memcpy(&e.value, (const void *)at, size);
        __fencer_count++;
        if (native_is_on())
            native_skips(); /* if others know it, the footprint says so */
        HAPPENED(.kind = EV_LOAD, .address = at, .size = (uint8_t)size,
                 .read = e.value, .site = site);
        if (rt.tracing) {
            e.from = record_writer(at);
            record_event(rt_self(), &e, at);
        }
        at += size;
    }
}

/* At most n bytes of text. */
static void some_text(const char *a, size_t n, uint32_t site)
{
    size_t length;

    if (!n)
        return;
    libc_reads(a, 1, site);
    settle_until(a, 0, n);
    length = strnlen(a, n);
    reads(a, length < n ? length + 1 : n, site);
}

static const char *text(const char *a)
{
    some_text(a, SIZE_MAX, enter(a, NULL));
    return a;
}

static void texts(const char *a, const char *b)
{
    uint32_t site = enter(a, b);

    some_text(a, SIZE_MAX, site);
    some_text(b, SIZE_MAX, site);
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
    if (rt_self()->buffered)
        while (i + 1 < n && peek(a + i) && peek(a + i) == peek(b + i))
            i++;
    else
        while (i + 1 < n && a[i] && a[i] == b[i])
            i++;
    settle(a, i + 1);
    settle(b, i + 1);
    reads(a, i + 1, site);
    reads(b, i + 1, site);
}

static void bytes(const void *a, size_t n, uint32_t site)
{
    settle(a, n);
    reads(a, n, site);
}

MODEL_IS(size_t, strlen, (const char *a), strlen(text(a)))

MODEL(size_t, strnlen, (const char *a, size_t n))
{
    some_text(a, n, enter(a, NULL));
    return strnlen(a, n);
}

MODEL(int, strcmp, (const char *a, const char *b))
{
    equal_part(a, b, SIZE_MAX);
    return strcmp(a, b);
}

MODEL(int, strncmp, (const char *a, const char *b, size_t n))
{
    equal_part(a, b, n);
    return strncmp(a, b, n);
}

MODEL(int, strcasecmp, (const char *a, const char *b))
{
    texts(a, b);
    return strcasecmp(a, b);
}

MODEL(int, strncasecmp, (const char *a, const char *b, size_t n))
{
    uint32_t site = enter(a, b);

    some_text(a, n, site);
    some_text(b, n, site);
    return strncasecmp(a, b, n);
}

MODEL(int, strcoll, (const char *a, const char *b))
{
    texts(a, b);
    return strcoll(a, b);
}

MODEL(int, memcmp, (const void *a, const void *b, size_t n))
{
    uint32_t site = enter(a, b);

    bytes(a, n, site);
    bytes(b, n, site);
    return memcmp(a, b, n);
}

MODEL_ALSO(bcmp, memcmp)

/* C11 lets memchr's n exceed the object when the byte comes before its end. */
MODEL(void *, memchr, (const void *a, int byte, size_t n))
{
    uint32_t site = enter(a, NULL);
    const char *found;

    settle(a, n);
    found = n ? memchr(a, byte, n) : NULL;
    reads(a, found ? (size_t)(found - (const char *)a) + 1 : n, site);
    return (void *)found;
}

MODEL(void *, memrchr, (const void *a, int byte, size_t n))
{
    bytes(a, n, enter(a, NULL));
    return memrchr(a, byte, n);
}

MODEL(void *, rawmemchr, (const void *a, int byte))
{
    uint32_t site = enter(a, NULL);
    char *found;

    libc_reads(a, 1, site);
    settle_until(a, (char)byte, SIZE_MAX);
    found = rawmemchr(a, byte);
    reads(a, (size_t)(found - (const char *)a) + 1, site);
    return found;
}

MODEL_ALSO(__rawmemchr, rawmemchr)
MODEL_IS(char *, strchr, (const char *a, int c), strchr(text(a), c))
MODEL_IS(char *, strrchr, (const char *a, int c), strrchr(text(a), c))
MODEL_IS(char *, strchrnul, (const char *a, int c), strchrnul(text(a), c))
MODEL_ALSO(index, strchr)
MODEL_ALSO(rindex, strrchr)

MODEL(char *, strstr, (const char *a, const char *b))
{
    texts(a, b);
    return strstr(a, b);
}

MODEL(char *, strcasestr, (const char *a, const char *b))
{
    texts(a, b);
    return strcasestr(a, b);
}

MODEL(size_t, strspn, (const char *a, const char *b))
{
    texts(a, b);
    return strspn(a, b);
}

MODEL(size_t, strcspn, (const char *a, const char *b))
{
    texts(a, b);
    return strcspn(a, b);
}

MODEL(char *, strpbrk, (const char *a, const char *b))
{
    texts(a, b);
    return strpbrk(a, b);
}

MODEL(void *, memmem, (const void *a, size_t n, const void *b, size_t m))
{
    uint32_t site = enter(a, b);

    bytes(a, n, site);
    bytes(b, m, site);
    return memmem(a, n, b, m);
}

MODEL_IS(int, atoi, (const char *a), atoi(text(a)))
MODEL_IS(long, atol, (const char *a), atol(text(a)))
MODEL_IS(long long, atoll, (const char *a), atoll(text(a)))
MODEL_IS(double, atof, (const char *a), atof(text(a)))
