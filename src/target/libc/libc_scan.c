/* SPDX-License-Identifier: MIT
 *
 * sscanf: the C library scans into private memory, one slot for each result,
 * and what it assigned is then stored to the program's memory.  For that the
 * format is read here too, as far as to know the size of each result.
 */
#include "libc/libc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "event/must.h"

#define RESULTS_MAX 16

enum result_kind {
    RESULT_FIXED, /* `size` bytes */
    RESULT_TEXT,  /* up to a NUL, at most `size` bytes */
    RESULT_WIDE,  /* %ls, %lc: left to the C library */
    RESULT_HEAP,  /* %ms: a pointer to new text */
    RESULT_COUNT  /* %n: assigned though it is not counted */
};

struct result {
    enum result_kind kind;
    size_t size;
};

/* What the sizes hh h l ll L j z t q make of an integer, and of a float. */
static size_t integer_size(const char *length)
{
    if (*length == 'h')
        return length[1] == 'h' ? 1 : 2;
    return *length && strchr("ljztqL", *length) ? 8 : 4;
}

static size_t float_size(const char *length)
{
    return *length == 'L'   ? sizeof(long double)
           : *length == 'l' ? sizeof(double)
                            : sizeof(float);
}

static const char *skip_set(const char *f)
{
    f++;
    if (*f == '^')
        f++;
    if (*f == ']')
        f++;
    while (*f && *f != ']')
        f++;
    return *f ? f + 1 : f;
}

/* One conversion after its '%'.  False: it assigns nothing. */
static bool conversion(const char **format, size_t text, struct result *r)
{
    const char *f = *format, *length;
    bool assigns = true, allocates = false;
    size_t width = 0, unit;

    if (*f == '*') {
        assigns = false;
        f++;
    }
    while (isdigit((unsigned char)*f))
        width = width * 10 + (size_t)(*f++ - '0');
    if (*f == 'm') {
        allocates = true;
        f++;
    }
    length = f;
    while (*f && strchr("hlLjztq", *f))
        f++;
    unit = *length == 'l' || *f == 'S' || *f == 'C' ? sizeof(wchar_t) : 1;
    *r = (struct result){RESULT_FIXED, integer_size(length)};
    switch (*f) {
    case 's':
    case 'S':
    case '[':
        r->kind = unit == 1 ? RESULT_TEXT : RESULT_WIDE;
        r->size = (width && width < text ? width : text) + 1;
        break;
    case 'c':
    case 'C':
        r->kind = unit == 1 ? RESULT_FIXED : RESULT_WIDE;
        r->size = width ? width : 1;
        break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        r->size = float_size(length);
        break;
    case 'p':
        r->size = sizeof(void *);
        break;
    case 'n':
        r->kind = RESULT_COUNT;
        break;
    case '%':
        assigns = false;
        break;
    }
    if (allocates)
        *r = (struct result){RESULT_HEAP, sizeof(char *)};
    *format = *f == '[' ? skip_set(f) : *f ? f + 1 : f;
    return assigns;
}

/* The results of a whole format; -1: more than we can keep. */
static int results_of(const char *format, size_t text, struct result *results)
{
    int count = 0;

    while (*format) {
        struct result r;

        if (*format++ != '%')
            continue;
        if (!conversion(&format, text, &r))
            continue;
        if (count == RESULTS_MAX || r.kind == RESULT_WIDE)
            return -1;
        results[count++] = r;
    }
    return count;
}

/* Text that the C library allocated becomes a block of the program's heap. */
static void adopt(char **slot, uint32_t site)
{
    size_t n = strlen(*slot) + 1;
    char *own = rt_malloc(n, 16, false, site);

    if (own)
        libc_out(own, *slot, n, site);
    free(*slot);
    *slot = own;
}

static void store(void *to, char *slot, const struct result *r, uint32_t site)
{
    size_t n = r->size;

    if (r->kind == RESULT_TEXT)
        n = strnlen(slot, r->size - 1) + 1;
    if (r->kind == RESULT_HEAP)
        adopt((char **)slot, site);
    libc_out(to, slot, n, site);
}

static int scan(const char *from, const char *how, va_list list)
{
    static const char unset[] = "\377\377\377\377\377\377\377\377";
    uint32_t site = libc_enter();
    struct libc_text read[2];
    const char *text = libc_text(&read[0], from, SIZE_MAX, site);
    const char *format = libc_text(&read[1], how, SIZE_MAX, site);
    struct result results[RESULTS_MAX] = {0};
    void *s[RESULTS_MAX] = {0};
    int count, assigned, left;

    count = results_of(format, strlen(text), results);
    if (count < 0 || strchr(format, '$')) {
        libc_drain(site);
        libc_needs_process("sscanf");
        return vsscanf(text, format, list);
    }
    MUST(count <= RESULTS_MAX);
    for (int i = 0; i < count; i++) {
        size_t size = (results[i].size + 15) & ~(size_t)15;

        s[i] = __builtin_alloca_with_align(size, 128);
        memset(s[i], results[i].kind == RESULT_COUNT ? 0xff : 0, size);
    }
    assigned = left =
        sscanf(text, format, s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7],
               s[8], s[9], s[10], s[11], s[12], s[13], s[14], s[15]);
    for (int i = 0; i < count; i++) {
        void *to = va_arg(list, void *);
        bool done = results[i].kind == RESULT_COUNT
                        ? memcmp(s[i], unset, results[i].size) != 0
                        : left-- > 0;

        if (done)
            store(to, s[i], &results[i], site);
    }
    return assigned;
}

MODEL_IS(int, vsscanf, (const char *text, const char *format, va_list list),
         scan(text, format, list))
MODEL_LISTS(sscanf, (const char *text, const char *format, ...), format, list,
            scan(text, format, list))
MODEL_ALSO(__isoc99_vsscanf, vsscanf)
MODEL_ALSO(__isoc99_sscanf, sscanf)
MODEL_ALSO(__isoc23_vsscanf, vsscanf)
MODEL_ALSO(__isoc23_sscanf, sscanf)
