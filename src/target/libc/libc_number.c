/* SPDX-License-Identifier: MIT
 *
 * Functions that return a second result through a pointer: numbers from text,
 * parts of numbers, messages of errors.  The real function writes it to
 * private memory; from there it is a store like the program's own.
 */
#include "libc/libc.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers from text ---- */

#define INTEGER(name, real, type)                                              \
    HIDDEN(type, name, (const char *text, char **end, int base))               \
    {                                                                          \
        uint32_t site = libc_enter();                                          \
        struct libc_text t;                                                    \
        char *stop;                                                            \
        type value;                                                            \
                                                                               \
        libc_text(&t, text, SIZE_MAX, site);                                   \
        value = real(t.text, &stop, base);                                     \
        stop = libc_text_at(&t, stop);                                         \
        if (end)                                                               \
            libc_out(end, &stop, sizeof stop, site);                           \
        return value;                                                          \
    }

INTEGER(strtol, strtol, long)
INTEGER(strtoul, strtoul, unsigned long)
INTEGER(strtoll, strtoll, long long)
INTEGER(strtoull, strtoull, unsigned long long)
INTEGER(strtoimax, strtoimax, intmax_t)
INTEGER(strtoumax, strtoumax, uintmax_t)
INTEGER(strtoq, strtoll, long long)
INTEGER(strtouq, strtoull, unsigned long long)
INTEGER(__isoc23_strtol, strtol, long)
INTEGER(__isoc23_strtoul, strtoul, unsigned long)
INTEGER(__isoc23_strtoll, strtoll, long long)
INTEGER(__isoc23_strtoull, strtoull, unsigned long long)
INTEGER(__isoc23_strtoimax, strtoimax, intmax_t)
INTEGER(__isoc23_strtoumax, strtoumax, uintmax_t)

#define REAL(name, type)                                                       \
    MODEL(type, name, (const char *text, char **end))                          \
    {                                                                          \
        uint32_t site = libc_enter();                                          \
        struct libc_text t;                                                    \
        char *stop;                                                            \
        type value;                                                            \
                                                                               \
        libc_text(&t, text, SIZE_MAX, site);                                   \
        value = name(t.text, &stop);                                           \
        stop = libc_text_at(&t, stop);                                         \
        if (end)                                                               \
            libc_out(end, &stop, sizeof stop, site);                           \
        return value;                                                          \
    }

REAL(strtod, double)
REAL(strtof, float)
REAL(strtold, long double)

/* ---- Parts of numbers ---- */

/* type name(type x, out *to) */
#define PART(name, type, out)                                                  \
    MODEL(type, name, (type x, out * to))                                      \
    {                                                                          \
        uint32_t site = rt_take_site_known();                                  \
        out part = 0;                                                          \
        type value = name(x, &part);                                           \
                                                                               \
        libc_out(to, &part, sizeof part, site);                                \
        return value;                                                          \
    }

PART(frexp, double, int)
PART(frexpf, float, int)
PART(frexpl, long double, int)
PART(modf, double, double)
PART(modff, float, float)
PART(modfl, long double, long double)
PART(lgamma_r, double, int)
PART(lgammaf_r, float, int)
PART(lgammal_r, long double, int)

#define SINCOS(name, type)                                                     \
    MODEL(void, name, (type x, type * sine, type * cosine))                    \
    {                                                                          \
        uint32_t site = rt_take_site_known();                                  \
        type s, c;                                                             \
                                                                               \
        name(x, &s, &c);                                                       \
        libc_out(sine, &s, sizeof s, site);                                    \
        libc_out(cosine, &c, sizeof c, site);                                  \
    }

SINCOS(sincos, double)
SINCOS(sincosf, float)
SINCOS(sincosl, long double)

#define REMQUO(name, type)                                                     \
    MODEL(type, name, (type x, type y, int *to))                               \
    {                                                                          \
        uint32_t site = rt_take_site_known();                                  \
        int quotient = 0;                                                      \
        type value = name(x, y, &quotient);                                    \
                                                                               \
        libc_out(to, &quotient, sizeof quotient, site);                        \
        return value;                                                          \
    }

REMQUO(remquo, double)
REMQUO(remquof, float)
REMQUO(remquol, long double)

/* ---- Messages ---- */

/* GNU's strerror_r may return its own text instead of filling the buffer. */
MODEL_IS(char *, strerror_r, (int number, char *to, size_t size),
         (rt_take_site_known(), strerror(number)))

HIDDEN(int, __xpg_strerror_r, (int number, char *to, size_t size))
{
    uint32_t site = rt_take_site_known();
    const char *text = strerror(number);
    size_t n = strlen(text);

    if (!size)
        return ERANGE;
    if (n >= size)
        n = size - 1;
    libc_out(to, text, n, site);
    libc_out(to + n, "", 1, site);
    if (n < strlen(text))
        return ERANGE;
    return 0;
}
