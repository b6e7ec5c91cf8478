/* SPDX-License-Identifier: MIT
 *
 * Formatted output.  The text is made by the C library's own vsnprintf, which
 * keeps no state, in memory of the calling fiber; then it goes to the captured
 * output, to a stream, or as stores to the program's buffer.  Strings that it
 * prints are loads of the calling thread (libc_format.c).
 */
#include "libc/libc.h"

#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "libc/libc_format.h"

#define SMALL 512
#define MEDIUM 8192
/* Longer text does not go on a fiber's stack. */
#define LARGE (256u << 10)

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

/* Does it print numbers and the format itself, and look at nothing else? */
static bool is_of_values(const char *format)
{
    while ((format = strchr(format, '%')) != NULL) {
        format += 1 + strspn(format + 1, "0123456789 #+-'.*hljztLqI$");
        if (!*format || strchr("sSnm", *format))
            return false;
        format++;
    }
    return true;
}

/* What the format's arguments point to is read as it is. */
static int format_as_is(use_fn *use, void *how, const char *format,
                        va_list list, uint32_t site)
{
    char small[SMALL];
    va_list again;
    int length;

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

static int format_to(use_fn *use, void *how, const char *format, va_list list,
                     uint32_t site)
{
    struct libc_text form;
    char made[MEDIUM];
    va_list again;
    int length;

    format = libc_text(&form, format, SIZE_MAX, site);
    if (is_of_values(format))
        return format_as_is(use, how, format, list, site);
    va_copy(again, list);
    length = libc_format(made, sizeof made, format, again, site);
    va_end(again);
    if (length < 0) { /* too intricate */
        libc_drain(site);
        return format_as_is(use, how, format, list, site);
    }
    use(made, (size_t)length, how, site);
    return length;
}

/* ---- To a stream or descriptor ---- */

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
         libc_print(to, "fprintf", format, list, libc_enter()))
MODEL_LISTS(fprintf, (FILE *to, const char *format, ...), format, list,
            __fencer_vfprintf(to, format, list))
MODEL_IS(int, vprintf, (const char *format, va_list list),
         libc_print(stdout, "printf", format, list, libc_enter()))
MODEL_LISTS(printf, (const char *format, ...), format, list,
            __fencer_vprintf(format, list))
MODEL_IS(int, vdprintf, (int fd, const char *format, va_list list),
         print_fd(fd, "dprintf", format, list, libc_enter()))
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

    return format_to(to_buffer, &b, format, list, libc_enter_quiet());
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

    return format_to(to_checked, &b, format, list, libc_enter_quiet());
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
    uint32_t site = libc_enter();
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
