/* SPDX-License-Identifier: MIT
 *
 * Formatted output.  The text is made by the C library's own vsnprintf, which
 * keeps no state, in memory of the calling fiber; then it goes to the captured
 * output, to a stream, or as stores to the program's buffer.
 */
#include "libc/libc.h"

#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SMALL 512
/* Longer text does not go on a fiber's stack. */
#define LARGE (256u << 10)

/* ---- What a format looks at ---- */

/* The next conversion after *format: its letter, 0 if there is none.  *wide:
 * its length is `l` or more; *stars: numbers before the value; *most: bytes of
 * a text. */
static char next_conversion(const char **format, bool *wide, int *stars,
                            size_t *most)
{
    const char *at = strchr(*format, '%');

    *wide = false;
    *stars = 0;
    *most = SIZE_MAX;
    if (!at)
        return 0;
    for (at++; *at && strchr("0123456789 #+-'.*hljztLqI", *at); at++) {
        *wide = *wide || strchr("ljztLq", *at);
        *stars += *at == '*';
        if (*at == '.' && at[1] != '*')
            *most = strtoul(at + 1, NULL, 10);
    }
    *format = *at ? at + 1 : at;
    return *at;
}

/* Can be known beforehand: no argument is named by number, none is written to,
 * no text is wide. */
static bool is_plain(const char *format)
{
    bool wide;
    int stars;
    size_t most;
    char c;

    if (!libc_is_constant(format) || strchr(format, '$'))
        return false;
    while ((c = next_conversion(&format, &wide, &stars, &most)) != 0)
        if (!strchr("diouxXcaAeEfFgGps%", c) ||
            (wide && (c == 's' || c == 'c')) || (stars && c == 's'))
            return false;
    return true;
}

/* That many bytes of it, up to its end. */
static void reads_text(const char *text, size_t most, uint32_t site)
{
    size_t n = text ? strnlen(text, most) : 0;

    if (text)
        libc_reads(text, n < most ? n + 1 : n, site);
}

/* Says which texts a plain format looks at. */
static void reads_arguments(const char *format, va_list list, uint32_t site)
{
    bool wide;
    int stars;
    size_t most;
    char c;

    while ((c = next_conversion(&format, &wide, &stars, &most)) != 0) {
        for (; stars; stars--)
            (void)va_arg(list, int);
        if (c == 's')
            reads_text(va_arg(list, const char *), most, site);
        else if (strchr("aAeEfFgG", c) && format[-2] == 'L')
            (void)va_arg(list, long double);
        else if (strchr("aAeEfFgG", c))
            (void)va_arg(list, double);
        else if (c != '%' && (wide || c == 'p'))
            (void)va_arg(list, long);
        else if (c != '%')
            (void)va_arg(list, int);
    }
}

static uint32_t enter(const char *format, va_list list)
{
    va_list again;
    uint32_t site;

    if (!is_plain(format))
        return libc_enter();
    site = libc_enter_known();
    va_copy(again, list);
    reads_arguments(format, again, site);
    va_end(again);
    return site;
}

/* Formats, hands the bytes to `use`, and returns their number, -1 if the
 * format is bad. */
typedef void use_fn(const char *text, size_t length, void *how, uint32_t site);

static void format_large(size_t length, const char *format, va_list list,
                         use_fn *use, void *how, uint32_t site)
{
    char *text = mmap(NULL, length + 1, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (text == MAP_FAILED)
        rt_fail(FAIL_UNSUPPORTED, site, "no memory for %l bytes of output",
                (long long)length);
    vsnprintf(text, length + 1, format, list);
    use(text, length, how, site);
    munmap(text, length + 1);
}

static int format_to(use_fn *use, void *how, const char *format, va_list list,
                     uint32_t site)
{
    char small[SMALL];
    va_list again;
    int length;

    libc_reads_text(format, site);
    va_copy(again, list);
    length = vsnprintf(small, sizeof small, format, list);
    if (length >= 0 && (size_t)length < sizeof small) {
        use(small, (size_t)length, how, site);
    } else if (length >= 0 && (unsigned)length < LARGE) {
        char medium[length + 1];

        vsnprintf(medium, sizeof medium, format, again);
        use(medium, (size_t)length, how, site);
    } else if (length >= 0) {
        format_large((size_t)length, format, again, use, how, site);
    }
    va_end(again);
    return length;
}

static void to_output(const char *text, size_t length, void *how, uint32_t site)
{
    (void)how;
    (void)site;
    rt_output(text, length);
}

int libc_print(FILE *to, const char *name, const char *format, va_list list,
               uint32_t site)
{
    if (libc_captures(to))
        return format_to(to_output, NULL, format, list, site);
    libc_needs_process(name);
    return vfprintf(to, format, list);
}

static int print_fd(int fd, const char *name, const char *format, va_list list,
                    uint32_t site)
{
    if (libc_captures_fd(fd))
        return format_to(to_output, NULL, format, list, site);
    libc_needs_process(name);
    return vdprintf(fd, format, list);
}

MODEL_IS(int, vfprintf, (FILE *to, const char *format, va_list list),
         libc_print(to, "fprintf", format, list, enter(format, list)))
MODEL_LISTS(fprintf, (FILE *to, const char *format, ...), format, list,
            __fencer_vfprintf(to, format, list))
MODEL_IS(int, vprintf, (const char *format, va_list list),
         libc_print(stdout, "printf", format, list, enter(format, list)))
MODEL_LISTS(printf, (const char *format, ...), format, list,
            __fencer_vprintf(format, list))
MODEL_IS(int, vdprintf, (int fd, const char *format, va_list list),
         print_fd(fd, "dprintf", format, list, enter(format, list)))
MODEL_LISTS(dprintf, (int fd, const char *format, ...), format, list,
            __fencer_vdprintf(fd, format, list))
HIDDEN_IS(int, __vfprintf_chk,
          (FILE *to, int flag, const char *format, va_list list),
          __fencer_vfprintf(to, format, list))
HIDDEN_LISTS(__fprintf_chk, (FILE *to, int flag, const char *format, ...),
             format, list, __fencer___vfprintf_chk(to, flag, format, list))
HIDDEN_IS(int, __vprintf_chk, (int flag, const char *format, va_list list),
          __fencer_vprintf(format, list))
HIDDEN_LISTS(__printf_chk, (int flag, const char *format, ...), format, list,
             __fencer___vprintf_chk(flag, format, list))
HIDDEN_IS(int, __vdprintf_chk,
          (int fd, int flag, const char *format, va_list list),
          __fencer_vdprintf(fd, format, list))
HIDDEN_LISTS(__dprintf_chk, (int fd, int flag, const char *format, ...), format,
             list, __fencer___vdprintf_chk(fd, flag, format, list))

/* ---- To the program's memory ---- */

struct buffer {
    char *to;
    size_t size; /* with the NUL */
};

static void to_buffer(const char *text, size_t length, void *how, uint32_t site)
{
    const struct buffer *b = how;

    if (!b->size)
        return;
    if (length < b->size) {
        libc_out(b->to, text, length + 1, site); /* with its NUL */
        return;
    }
    libc_out(b->to, text, b->size - 1, site);
    libc_out(b->to + b->size - 1, "", 1, site);
}

static int print_buffer(char *to, size_t size, const char *format, va_list list)
{
    struct buffer b = {to, size};

    return format_to(to_buffer, &b, format, list, enter(format, list));
}

MODEL_IS(int, vsnprintf,
         (char *to, size_t size, const char *format, va_list list),
         print_buffer(to, size, format, list))
MODEL_LISTS(snprintf, (char *to, size_t size, const char *format, ...), format,
            list, print_buffer(to, size, format, list))
MODEL_IS(int, vsprintf, (char *to, const char *format, va_list list),
         print_buffer(to, SIZE_MAX, format, list))
MODEL_LISTS(sprintf, (char *to, const char *format, ...), format, list,
            print_buffer(to, SIZE_MAX, format, list))

static void to_checked(const char *text, size_t length, void *how,
                       uint32_t site)
{
    const struct buffer *b = how;

    if (length >= b->size)
        rt_fail(FAIL_OUT_OF_BOUNDS, site,
                "buffer overflow: sprintf of %l bytes into an object of %l",
                (long long)length + 1, (long long)b->size);
    to_buffer(text, length, how, site);
}

HIDDEN(int, __vsprintf_chk,
       (char *to, int flag, size_t size, const char *format, va_list list))
{
    struct buffer b = {to, size};

    return format_to(to_checked, &b, format, list, enter(format, list));
}

HIDDEN_LISTS(__sprintf_chk,
             (char *to, int flag, size_t size, const char *format, ...), format,
             list, __fencer___vsprintf_chk(to, flag, size, format, list))

HIDDEN(int, __vsnprintf_chk,
       (char *to, size_t n, int flag, size_t size, const char *format,
        va_list list))
{
    if (n > size)
        rt_fail(FAIL_OUT_OF_BOUNDS, rt_take_site(),
                "buffer overflow: snprintf of up to %l bytes into an object "
                "of %l",
                (long long)n, (long long)size);
    return print_buffer(to, n, format, list);
}

HIDDEN_LISTS(__snprintf_chk,
             (char *to, size_t n, int flag, size_t size, const char *format,
              ...),
             format, list,
             __fencer___vsnprintf_chk(to, n, flag, size, format, list))

/* ---- To new memory ---- */

static void to_heap(const char *text, size_t length, void *how, uint32_t site)
{
    char **to = how;

    *to = rt_malloc(length + 1, 16, false, site);
    if (*to)
        libc_out(*to, text, length + 1, site);
}

MODEL(int, vasprintf, (char **to, const char *format, va_list list))
{
    uint32_t site = enter(format, list);
    char *text = NULL;
    int length = format_to(to_heap, &text, format, list, site);

    libc_out(to, &text, sizeof text, site);
    return text ? length : -1;
}

MODEL_LISTS(asprintf, (char **to, const char *format, ...), format, list,
            __fencer_vasprintf(to, format, list))
MODEL_ALSO(__asprintf, asprintf)
HIDDEN_IS(int, __vasprintf_chk,
          (char **to, int flag, const char *format, va_list list),
          __fencer_vasprintf(to, format, list))
HIDDEN_LISTS(__asprintf_chk, (char **to, int flag, const char *format, ...),
             format, list, __fencer___vasprintf_chk(to, flag, format, list))
