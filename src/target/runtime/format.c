/* SPDX-License-Identifier: MIT
 *
 * A very small formatter for messages: the runtime may not call printf, which
 * could allocate or hold a lock when the program is in any state.
 */
#include <stdarg.h>
#include <string.h>

#include "runtime/rt.h"

struct text {
    char *at, *end;
};

static void put(struct text *t, char c)
{
    if (t->at < t->end)
        *t->at++ = c;
}

static void put_text(struct text *t, const char *s)
{
    for (s = s ? s : "(null)"; *s; s++)
        put(t, *s);
}

static void put_number(struct text *t, unsigned long long n, unsigned base)
{
    char digits[24];
    unsigned count = 0;

    do
        digits[count++] = "0123456789abcdef"[n % base];
    while (n /= base);
    while (count)
        put(t, digits[--count]);
}

static void put_signed(struct text *t, long long n)
{
    if (n < 0)
        put(t, '-');
    put_number(t, n < 0 ? 0ull - (unsigned long long)n : (unsigned long long)n,
               10);
}

size_t rt_format(char *to, size_t size, const char *format,
                 __builtin_va_list arguments)
{
    struct text t = {to, to + size - 1};

    for (const char *f = format; *f; f++) {
        if (*f != '%') {
            put(&t, *f);
            continue;
        }
        switch (*++f) {
        case 's':
            put_text(&t, va_arg(arguments, const char *));
            break;
        case 'd':
            put_signed(&t, va_arg(arguments, int));
            break;
        case 'l':
            put_signed(&t, va_arg(arguments, long long));
            break;
        case 'u':
            put_number(&t, va_arg(arguments, unsigned), 10);
            break;
        case 'x':
            put_number(&t, va_arg(arguments, unsigned), 16);
            break;
        case 'c':
            put(&t, (char)va_arg(arguments, int));
            break;
        default:
            put(&t, *f);
        }
    }
    *t.at = '\0';
    return (size_t)(t.at - to);
}

size_t rt_print(char *to, size_t size, const char *format, ...)
{
    __builtin_va_list arguments;
    size_t n;

    __builtin_va_start(arguments, format);
    n = rt_format(to, size, format, arguments);
    __builtin_va_end(arguments);
    return n;
}
