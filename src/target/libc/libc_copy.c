/* SPDX-License-Identifier: MIT
 *
 * Functions that write memory: memcpy, strcpy and their family.  Direct calls
 * of memcpy, memmove and memset are hooks already; here are calls through
 * pointers, and the string functions.
 *
 * Their loads and stores are events, like those of an assignment: a program
 * that passes a message by strcpy and then sets a flag without a fence is as
 * wrong as one that assigns, and must be caught the same way.
 */
#include "libc/libc.h"

#include <string.h>
#include <strings.h>
#include <wchar.h>

#include "event/must.h"
#include "runtime/machine.h"

/* What strtok remembers. */
static char *strtok_save;

void libc_reset_string(void)
{
    strtok_save = NULL;
}

/* ---- Bytes ---- */

MODEL(void *, memcpy, (void *to, const void *from, size_t count))
{
    libc_copy(to, from, count, rt_take_site_known_quiet());
    return to;
}

MODEL_ALSO(memmove, memcpy)

MODEL(void *, memset, (void *to, int byte, size_t count))
{
    libc_fill(to, (uint8_t)byte, count, rt_take_site_known_quiet());
    return to;
}

MODEL(void *, mempcpy, (void *to, const void *from, size_t count))
{
    libc_copy(to, from, count, rt_take_site_known_quiet());
    return (char *)to + count;
}

MODEL_ALSO(__mempcpy, mempcpy)
MODEL_DOES(bcopy, (const void *from, void *to, size_t count),
           libc_copy(to, from, count, rt_take_site_known_quiet()))
MODEL_DOES(bzero, (void *to, size_t count),
           libc_fill(to, 0, count, rt_take_site_known_quiet()))
MODEL_ALSO(explicit_bzero, bzero)

MODEL(wchar_t *, wmemcpy, (wchar_t *to, const wchar_t *from, size_t count))
{
    libc_copy(to, from, count * sizeof *to, rt_take_site_known());
    return to;
}

MODEL_ALSO(wmemmove, wmemcpy)

MODEL(wchar_t *, wmemset, (wchar_t *to, wchar_t c, size_t count))
{
    uint32_t site = rt_take_site_known();

    for (size_t i = 0; i < count; i++)
        libc_out(&to[i], &c, sizeof c, site);
    return to;
}

/* ---- Text, byte by byte ---- */

static char read_byte(const char *from, uint32_t site)
{
    char byte;

    libc_in(&byte, from, 1, site);
    return byte;
}

/* Copies until a byte equal to `stop` was copied or `max` bytes were; the
 * stores are words where they can be.  Returns the count; *found tells whether
 * it stopped at `stop`. */
static size_t copy_until(char *to, const char *from, size_t max, char stop,
                         bool *found, uint32_t site)
{
    size_t done = 0;

    *found = false;
    if (!libc_watched() && max) {
        const char *at;

        libc_reads(from, 1, site);
        at = memchr(from, stop, max);
        *found = at;
        done = at ? (size_t)(at - from) + 1 : max;
        libc_reads(from, done, site);
        libc_out(to, from, done, site);
        return done;
    }
    while (done < max && !*found) {
        char word[8];
        size_t room = 8 - ((uintptr_t)(to + done) & 7), n = 0;

        while (n < room && done + n < max && !*found) {
            word[n] = read_byte(from + done + n, site);
            *found = word[n++] == stop;
        }
        MUST(n && done + n <= max);
        libc_out(to + done, word, n, site);
        done += n;
    }
    return done;
}

static size_t length(const char *text, size_t max, uint32_t site)
{
    size_t n = 0;

    if (libc_is_constant(text))
        return strnlen(text, max);
    if (!libc_watched() && max) {
        libc_reads(text, 1, site);
        n = strnlen(text, max);
        libc_reads(text, n < max ? n + 1 : n, site);
        return n;
    }
    while (n < max && read_byte(text + n, site))
        n++;
    return n;
}

/* Copies at most `max` bytes and always ends with NUL; returns where. */
static char *copy_text(char *to, const char *from, size_t max, uint32_t site)
{
    bool ended;
    size_t n = copy_until(to, from, max, 0, &ended, site);

    if (ended)
        return to + n - 1;
    libc_out(to + n, "", 1, site);
    return to + n;
}

MODEL(void *, memccpy, (void *to, const void *from, int stop, size_t max))
{
    bool found;
    size_t n = copy_until(to, from, max, (char)stop, &found,
                          rt_take_site_known_quiet());

    return found ? (char *)to + n : NULL;
}

MODEL(char *, strcpy, (char *to, const char *from))
{
    copy_text(to, from, SIZE_MAX, rt_take_site_known_quiet());
    return to;
}

MODEL_IS(char *, stpcpy, (char *to, const char *from),
         copy_text(to, from, SIZE_MAX, rt_take_site_known_quiet()))
MODEL_ALSO(__stpcpy, stpcpy)

/* Fills up with NULs; returns where the first of them is, or to + size. */
static char *copy_padded(char *to, const char *from, size_t size, uint32_t site)
{
    bool ended;
    size_t n = copy_until(to, from, size, 0, &ended, site);

    if (n < size)
        libc_fill(to + n, 0, size - n, site);
    return to + n - ended;
}

MODEL(char *, strncpy, (char *to, const char *from, size_t size))
{
    copy_padded(to, from, size, rt_take_site_known_quiet());
    return to;
}

MODEL_IS(char *, stpncpy, (char *to, const char *from, size_t size),
         copy_padded(to, from, size, rt_take_site_known_quiet()))
MODEL_ALSO(__stpncpy, stpncpy)

MODEL(char *, strcat, (char *to, const char *from))
{
    uint32_t site = rt_take_site_known_quiet();

    copy_text(to + length(to, SIZE_MAX, site), from, SIZE_MAX, site);
    return to;
}

MODEL(char *, strncat, (char *to, const char *from, size_t max))
{
    uint32_t site = rt_take_site_known_quiet();

    copy_text(to + length(to, SIZE_MAX, site), from, max, site);
    return to;
}

HIDDEN(size_t, strlcpy, (char *to, const char *from, size_t size))
{
    uint32_t site = rt_take_site_known_quiet();

    if (size)
        copy_text(to, from, size - 1, site);
    return length(from, SIZE_MAX, site);
}

HIDDEN(size_t, strlcat, (char *to, const char *from, size_t size))
{
    uint32_t site = rt_take_site_known_quiet();
    size_t have = length(to, size, site);

    if (have < size)
        copy_text(to + have, from, size - have - 1, site);
    return have + length(from, SIZE_MAX, site);
}

/* ---- Wide text ---- */

static size_t copy_wide(wchar_t *to, const wchar_t *from, size_t max,
                        uint32_t site)
{
    for (size_t i = 0; i < max; i++) {
        wchar_t c;

        libc_in(&c, &from[i], sizeof c, site);
        libc_out(&to[i], &c, sizeof c, site);
        if (!c)
            return i + 1;
    }
    return max;
}

MODEL(wchar_t *, wcscpy, (wchar_t *to, const wchar_t *from))
{
    copy_wide(to, from, SIZE_MAX, rt_take_site_known());
    return to;
}

MODEL(wchar_t *, wcsncpy, (wchar_t *to, const wchar_t *from, size_t size))
{
    uint32_t site = rt_take_site_known();
    size_t n = copy_wide(to, from, size, site);

    libc_fill(to + n, 0, (size - n) * sizeof *to, site);
    return to;
}

MODEL(wchar_t *, wcscat, (wchar_t *to, const wchar_t *from))
{
    uint32_t site = libc_enter_draining();

    copy_wide(to + wcslen(to), from, SIZE_MAX, site);
    return to;
}

/* ---- Cutting text into pieces ---- */

static char load_byte(const char *at, uint32_t site)
{
    char c;

    libc_in(&c, at, 1, site);
    return c;
}

/* Past bytes that are among `ends`, or are not, up to the final NUL.  No byte
 * after that is read. */
static char *skip(char *text, const char *ends, bool among, uint32_t site)
{
    for (;; text++) {
        char c = load_byte(text, site);

        if (!c || !strchr(ends, c) == among)
            return text;
    }
}

/* False: the text has ended there already. */
static bool end_piece(char *end, uint32_t site)
{
    if (!load_byte(end, site))
        return false;
    libc_out(end, "", 1, site);
    return true;
}

/* The next piece at or after `text`, ended in place; *rest is after it, or
 * at the final NUL. */
static char *next_token(char *text, const char *ends, char **rest,
                        uint32_t site)
{
    struct libc_text of_ends;
    char *end;

    ends = libc_text(&of_ends, ends, SIZE_MAX, site);
    text = skip(text, ends, true, site);
    end = skip(text, ends, false, site);
    *rest = end_piece(end, site) ? end + 1 : end;
    return end == text ? NULL : text;
}

MODEL(char *, strtok, (char *text, const char *ends))
{
    uint32_t site = libc_enter();
    char *rest, *piece;

    if (!text) {
        libc_state(&strtok_save, sizeof strtok_save, site);
        text = strtok_save;
    }
    if (!text)
        return NULL;
    piece = next_token(text, ends, &rest, site);
    libc_state(&strtok_save, sizeof strtok_save, site);
    strtok_save = rest;
    return piece;
}

MODEL(char *, strtok_r, (char *text, const char *ends, char **save))
{
    uint32_t site = libc_enter();
    char *rest, *piece;

    if (!text)
        libc_in(&text, save, sizeof text, site);
    if (!text)
        return NULL;
    piece = next_token(text, ends, &rest, site);
    libc_out(save, &rest, sizeof rest, site);
    return piece;
}

MODEL_ALSO(__strtok_r, strtok_r)

MODEL(char *, strsep, (char **text, const char *ends))
{
    uint32_t site = libc_enter();
    struct libc_text of_ends;
    char *piece, *end, *rest = NULL;

    libc_in(&piece, text, sizeof piece, site);
    if (!piece)
        return NULL;
    end = skip(piece, libc_text(&of_ends, ends, SIZE_MAX, site), false, site);
    if (end_piece(end, site))
        rest = end + 1;
    libc_out(text, &rest, sizeof rest, site);
    return piece;
}
