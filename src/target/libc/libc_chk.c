/* SPDX-License-Identifier: MIT
 *
 * What _FORTIFY_SOURCE makes of calls: the same functions with the size of the
 * destination as one more argument.  Overrunning it is a finding with a line,
 * where the real ones abort the process.
 */
#include "libc/libc.h"

#include <string.h>
#include <unistd.h>

MODEL_OF(strcpy)
MODEL_OF(stpcpy)
MODEL_OF(strncpy)
MODEL_OF(stpncpy)
MODEL_OF(strcat)
MODEL_OF(strncat)

/* The count is known before the call. */
static void check(size_t count, size_t size)
{
    if (count > size)
        rt_fail(FAIL_OUT_OF_BOUNDS, rt_take_site(),
                "buffer overflow: %l bytes into an object of %l",
                (long long)count, (long long)size);
}

/* For text the count is that of the source; measured without an event, which
 * decides nothing but whether the call is wrong. */
static void check_text(size_t before, const char *from, size_t size)
{
    if (size != SIZE_MAX)
        check(before + strlen(from) + 1, size);
}

HIDDEN(void *, __memcpy_chk,
       (void *to, const void *from, size_t n, size_t size))
{
    check(n, size);
    libc_copy(to, from, n, rt_take_site_known_quiet());
    return to;
}

MODEL_ALSO(__memmove_chk, __memcpy_chk)
HIDDEN_IS(void *, __mempcpy_chk,
          (void *to, const void *from, size_t n, size_t size),
          (char *)__fencer___memcpy_chk(to, from, n, size) + n)

HIDDEN(void *, __memset_chk, (void *to, int byte, size_t n, size_t size))
{
    check(n, size);
    libc_fill(to, (uint8_t)byte, n, rt_take_site_known_quiet());
    return to;
}

HIDDEN_DOES(__explicit_bzero_chk, (void *to, size_t n, size_t size),
            __fencer___memset_chk(to, 0, n, size))

HIDDEN(char *, __strcpy_chk, (char *to, const char *from, size_t size))
{
    check_text(0, from, size);
    return __fencer_strcpy(to, from);
}

HIDDEN(char *, __stpcpy_chk, (char *to, const char *from, size_t size))
{
    check_text(0, from, size);
    return __fencer_stpcpy(to, from);
}

HIDDEN(char *, __strncpy_chk,
       (char *to, const char *from, size_t n, size_t size))
{
    check(n, size);
    return __fencer_strncpy(to, from, n);
}

HIDDEN(char *, __stpncpy_chk,
       (char *to, const char *from, size_t n, size_t size))
{
    check(n, size);
    return __fencer_stpncpy(to, from, n);
}

HIDDEN(char *, __strcat_chk, (char *to, const char *from, size_t size))
{
    check_text(size == SIZE_MAX ? 0 : strlen(to), from, size);
    return __fencer_strcat(to, from);
}

HIDDEN(char *, __strncat_chk,
       (char *to, const char *from, size_t n, size_t size))
{
    if (size != SIZE_MAX)
        check(strlen(to) + strnlen(from, n) + 1, size);
    return __fencer_strncat(to, from, n);
}

HIDDEN(void, __chk_fail, (void))
{
    rt_fail(FAIL_ABORT, rt_take_site(), "buffer overflow detected");
}

HIDDEN(void, __stack_chk_fail, (void))
{
    rt_fail(FAIL_ABORT, rt_take_site(), "stack smashing detected");
}

HIDDEN(void, __fortify_fail, (const char *words))
{
    rt_fail(FAIL_ABORT, rt_take_site(), "%s", words);
}
