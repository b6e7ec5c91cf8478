/* SPDX-License-Identifier: MIT */
#include "base/clean.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* How many bytes the UTF-8 sequence that begins here has, with its code point;
 * 0: none begins. */
static size_t take_code(const unsigned char *at, size_t n, uint32_t *code)
{
    size_t length = *at < 0x80   ? 1
                    : *at < 0xc2 ? 0
                    : *at < 0xe0 ? 2
                    : *at < 0xf0 ? 3
                    : *at < 0xf5 ? 4
                                 : 0;

    if (length == 0 || length > n)
        return 0;
    *code = length == 1 ? *at : *at & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (at[i] & 0x3f);
    }
    /* Too long for what it says, half of a pair, or beyond the last. */
    if ((length == 3 && *code < 0x800) || (length == 4 && *code < 0x10000) ||
        (*code >= 0xd800 && *code < 0xe000) || *code > 0x10ffff)
        return 0;
    return length;
}

static bool is_harmless(uint32_t code)
{
    return code >= 0x20 && !(code >= 0x7f && code < 0xa0) &&
           !(code >= 0x2028 && code <= 0x202e) &&
           !(code >= 0x2066 && code <= 0x2069) && code != 0x200e &&
           code != 0x200f;
}

/* "\033[31m", as report/ writes it; its length, or 0. */
static size_t take_colour(const char *at, size_t n)
{
    size_t i = 2;

    if (n < 3 || at[0] != '\033' || at[1] != '[')
        return 0;
    while (i < n && i < 4 && at[i] >= '0' && at[i] <= '9')
        i++;
    return i < n && at[i] == 'm' ? i + 1 : 0;
}

/* Nearly every text is nothing else. */
static size_t take_ascii(const char *at, size_t n)
{
    size_t i = 0;

    while (i < n && at[i] >= 0x20 && at[i] < 0x7f)
        i++;
    return i;
}

/* How many bytes from here stay as they are; 0: the first does not. */
static size_t take_clean(const char *at, size_t n, enum clean_keep keep)
{
    uint32_t code = 0;
    size_t length = take_ascii(at, n);

    if (length)
        return length;
    length = take_code((const unsigned char *)at, n, &code);
    if (keep != CLEAN_LINE && (*at == '\n' || *at == '\t'))
        return 1;
    if (keep == CLEAN_REPORT && take_colour(at, n))
        return take_colour(at, n);
    return length && is_harmless(code) ? length : 0;
}

void clean_put(struct buf *out, const char *text, size_t n,
               enum clean_keep keep)
{
    while (n > 0) {
        size_t length = take_clean(text, n, keep);

        if (length)
            buf_add(out, text, length);
        else
            buf_printf(out, "\\x%02x", (unsigned char)*text);
        length += length == 0;
        text += length;
        n -= length;
    }
}

char *clean_copy(struct arena *a, const char *text)
{
    struct buf clean = {0};
    char *copy;

    buf_puts(&clean, "");
    clean_put(&clean, text, strlen(text), CLEAN_LINE);
    copy = arena_copy(a, clean.bytes);
    buf_free(&clean);
    return copy;
}

void clean_line(char *text, size_t size)
{
    struct buf clean = {0};
    size_t n;

    buf_puts(&clean, "");
    clean_put(&clean, text, strnlen(text, size), CLEAN_LINE);
    n = clean.count < size ? clean.count : size - 1;
    while (n > 0 && n < clean.count && (clean.bytes[n] & 0xc0) == 0x80)
        n--; /* no half of a character */
    memcpy(text, clean.bytes, n);
    text[n] = '\0';
    buf_free(&clean);
}

bool clean_is_line(const char *text)
{
    size_t n = strlen(text);

    while (n > 0) {
        size_t length = take_clean(text, n, CLEAN_LINE);

        if (!length)
            return false;
        text += length;
        n -= length;
    }
    return true;
}

bool clean_is_utf8(const char *text, size_t n)
{
    uint32_t code;

    while (n > 0) {
        size_t length = take_code((const unsigned char *)text, n, &code);

        if (!length)
            return false;
        text += length;
        n -= length;
    }
    return true;
}
