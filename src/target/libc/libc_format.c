/* SPDX-License-Identifier: MIT
 *
 * printf reads the strings that it prints from memory that other threads may
 * write.  So a format is taken apart: each conversion is done by the C
 * library's own snprintf, and a string is first copied by loads.
 */
#include "libc/libc_format.h"

#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "libc/libc.h"

enum length { LENGTH_INT, LENGTH_LONG, LENGTH_LONGLONG, LENGTH_REAL };

/* One conversion: "%-*.3ls". */
struct conversion {
    char text[32]; /* itself, without its length and its stars */
    int precision; /* negative: none */
    enum length length;
    char letter;
};

/* What is made so far. */
struct made {
    char *to;
    size_t size, count; /* count <= size: it fits */
    uint32_t site;
};

static bool put(struct made *m, const char *from, size_t count)
{
    if (count >= m->size - m->count)
        return false;
    memcpy(m->to + m->count, from, count);
    m->count += count;
    m->to[m->count] = 0;
    return true;
}

/* ---- Taking it apart ---- */

static const char *take_number(const char *at, va_list *list, int *number)
{
    if (*at == '*') {
        *number = va_arg(*list, int);
        return at + 1;
    }
    *number = 0;
    for (; *at >= '0' && *at <= '9' && *number < 10000; at++)
        *number = 10 * *number + (*at - '0');
    return at;
}

static const char *take_length(const char *at, enum length *length)
{
    *length = LENGTH_INT;
    for (;; at++) {
        switch (*at) {
        case 'h':
            break;
        case 'l':
            *length = *length == LENGTH_INT ? LENGTH_LONG : LENGTH_LONGLONG;
            break;
        case 'j':
        case 'z':
        case 't':
            *length = LENGTH_LONG;
            break;
        case 'q':
            *length = LENGTH_LONGLONG;
            break;
        case 'L':
            *length = LENGTH_REAL;
            break;
        default:
            return at;
        }
    }
}

/* `at` is after the '%'.  Returns what follows, or NULL. */
static const char *take_conversion(const char *at, va_list *list,
                                   struct conversion *c)
{
    size_t flags = strspn(at, "0 #+-'I");
    const char *start;
    size_t n;
    int width;

    if (flags > 6)
        return NULL;
    n = (size_t)snprintf(c->text, sizeof c->text, "%%%.*s", (int)flags, at);
    at = take_number(at + flags, list, &width);
    c->precision = -1;
    if (*at == '.')
        at = take_number(at + 1, list, &c->precision);
    if (width < 0 && width > -10000)
        n += (size_t)snprintf(c->text + n, sizeof c->text - n, "-%d", -width);
    else if (width > 0)
        n += (size_t)snprintf(c->text + n, sizeof c->text - n, "%d", width);
    if (c->precision >= 0)
        n += (size_t)snprintf(c->text + n, sizeof c->text - n, ".%d",
                              c->precision);
    start = at;
    at = take_length(at, &c->length);
    if (!*at || at - start > 2 || *at == '$')
        return NULL;
    snprintf(c->text + n, sizeof c->text - n, "%.*s%c", (int)(at - start),
             start, *at);
    c->letter = *at;
    return at + 1;
}

/* ---- Doing it ---- */

#define ROOM 512 /* for one number */

static bool put_string(struct made *m, const struct conversion *c,
                       const char *from)
{
    struct libc_text t;
    char made[sizeof t.room + ROOM];
    size_t max = c->precision < 0 ? SIZE_MAX : (size_t)c->precision;
    int n;

    if (c->length != LENGTH_INT)
        return false;
    if (from)
        from = libc_text(&t, from, max, m->site);
    n = snprintf(made, sizeof made, c->text, from);
    return n >= 0 && (size_t)n < sizeof made && put(m, made, (size_t)n);
}

static int make_number(char *to, const struct conversion *c, va_list *list)
{
    switch (c->length) {
    case LENGTH_INT:
        return snprintf(to, ROOM, c->text, va_arg(*list, int));
    case LENGTH_LONG:
        return snprintf(to, ROOM, c->text, va_arg(*list, long));
    default:
        return snprintf(to, ROOM, c->text, va_arg(*list, long long));
    }
}

static int make_real(char *to, const struct conversion *c, va_list *list)
{
    if (c->length == LENGTH_REAL)
        return snprintf(to, ROOM, c->text, va_arg(*list, long double));
    return snprintf(to, ROOM, c->text, va_arg(*list, double));
}

static bool put_value(struct made *m, const struct conversion *c, va_list *list)
{
    char made[ROOM];
    int n = -1;

    if (strchr("diouxXc", c->letter))
        n = make_number(made, c, list);
    else if (strchr("eEfFgGaA", c->letter))
        n = make_real(made, c, list);
    else if (c->letter == 'p')
        n = snprintf(made, ROOM, c->text, va_arg(*list, void *));
    else if (c->letter == 'm' || c->letter == '%')
        n = snprintf(made, ROOM, c->text, 0);
    return n >= 0 && n < ROOM && put(m, made, (size_t)n);
}

static bool put_all(struct made *m, const char *format, va_list *list)
{
    while (*format) {
        size_t plain = strcspn(format, "%");
        struct conversion c;

        if (!put(m, format, plain))
            return false;
        format += plain;
        if (!*format)
            return true;
        format = take_conversion(format + 1, list, &c);
        if (!format)
            return false;
        if (c.letter == 's' ? !put_string(m, &c, va_arg(*list, const char *))
                            : !put_value(m, &c, list))
            return false;
    }
    return true;
}

int libc_format(char *to, size_t size, const char *format, va_list list,
                uint32_t site)
{
    struct made m = {.to = to, .size = size, .site = site};
    va_list mine;
    bool done;

    *to = 0;
    va_copy(mine, list);
    done = put_all(&m, format, &mine);
    va_end(mine);
    return done ? (int)m.count : -1;
}
