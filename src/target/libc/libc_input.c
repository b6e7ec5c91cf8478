/* SPDX-License-Identifier: MIT
 *
 * Input from streams.  All of it is library state, so it runs in a process per
 * execution (but see runtime/native_files.c); a stream whose buffer is empty is
 * asked whether it would wait.
 *
 * Every execution finds stdin at its beginning, or it is refused.
 */
#include "libc/libc.h"

#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

MODEL_OF(scanf)
MODEL_OF(vscanf)
MODEL_OF(fscanf)
MODEL_OF(vfscanf)
int __fencer___isoc99_scanf(const char *format, ...);
int __fencer___isoc99_vscanf(const char *format, va_list list);
int __fencer___isoc99_fscanf(FILE *from, const char *format, ...);
int __fencer___isoc99_vfscanf(FILE *from, const char *format, va_list list);
int __fencer___isoc23_scanf(const char *format, ...);
int __fencer___isoc23_vscanf(const char *format, va_list list);
int __fencer___isoc23_fscanf(FILE *from, const char *format, ...);
int __fencer___isoc23_vfscanf(FILE *from, const char *format, va_list list);

static bool rewound; /* stdin, in this execution */

void libc_reset_input(void)
{
    rewound = false;
}

/* Does it say the same when it is read again? */
static bool is_file(FILE *from)
{
    struct stat s;

    return from != stdin && fstat(fileno(from), &s) == 0 && S_ISREG(s.st_mode);
}

static uint32_t enter(FILE *from, const char *name)
{
    uint32_t site = libc_enter_state(
        rt.graphs && !is_file(from) ? "input that is no file" : name);

    if (from == stdin && !rewound) {
        rewound = true;
        libc_rewind_stdin(name, site);
    }
    if (from->_IO_read_ptr >= from->_IO_read_end && fileno(from) >= 0)
        libc_wait_fd(fileno(from), POLLIN, name, site);
    return site;
}

/* ---- Bytes and lines ---- */

static size_t get(void *to, size_t size, size_t count, FILE *from,
                  const char *name)
{
    uint32_t site = enter(from, name);
    size_t n = fread(to, size, count, from);

    libc_wrote(to, n * size, site);
    return n;
}

MODEL_IS(size_t, fread, (void *to, size_t size, size_t count, FILE *from),
         get(to, size, count, from, "fread"))
MODEL_IS(size_t, fread_unlocked,
         (void *to, size_t size, size_t count, FILE *from),
         get(to, size, count, from, "fread_unlocked"))
HIDDEN_IS(size_t, __fread_chk,
          (void *to, size_t room, size_t size, size_t count, FILE *from),
          get(to, size, count, from, "fread"))

static int get_char(FILE *from, const char *name)
{
    enter(from, name);
    return getc(from);
}

MODEL_IS(int, fgetc, (FILE *from), get_char(from, "fgetc"))
MODEL_IS(int, getc, (FILE *from), get_char(from, "getc"))
MODEL_ALSO(_IO_getc, getc)
MODEL_IS(int, fgetc_unlocked, (FILE *from), get_char(from, "fgetc_unlocked"))
MODEL_IS(int, getc_unlocked, (FILE *from), get_char(from, "getc_unlocked"))
MODEL_IS(int, getchar, (void), get_char(stdin, "getchar"))
MODEL_IS(int, getchar_unlocked, (void), get_char(stdin, "getchar_unlocked"))

static char *get_line(char *to, int size, FILE *from, const char *name)
{
    uint32_t site = enter(from, name);
    char *line = fgets(to, size, from);

    if (line)
        libc_wrote(to, strlen(to) + 1, site);
    return line;
}

MODEL_IS(char *, fgets, (char *to, int size, FILE *from),
         get_line(to, size, from, "fgets"))
MODEL_IS(char *, fgets_unlocked, (char *to, int size, FILE *from),
         get_line(to, size, from, "fgets_unlocked"))
HIDDEN_IS(char *, __fgets_chk, (char *to, size_t room, int size, FILE *from),
          get_line(to, size, from, "fgets"))

HIDDEN(char *, gets, (char *to))
{
    uint32_t site = enter(stdin, "gets");
    size_t n = 0;
    int c;

    while ((c = getc(stdin)) != EOF && c != '\n') {
        libc_wrote(to + n, 1, site);
        to[n++] = (char)c;
    }
    if (c == EOF && !n)
        return NULL;
    libc_wrote(to + n, 1, site);
    to[n] = 0;
    return to;
}

/* ---- Lines of any length, in a block of the program's heap ---- */

static ssize_t get_until(char **line, size_t *room, int stop, FILE *from,
                         const char *name)
{
    uint32_t site = enter(from, name);
    char *to = *line;
    size_t size = to ? *room : 0, n = 0;
    int c;

    while ((c = getc(from)) != EOF) {
        if (n + 2 > size) {
            size = size < 60 ? 120 : 2 * size;
            to = libc_resize(to, size, site);
            rt_drain_and_cut();
            if (!to)
                return -1;
        }
        to[n++] = (char)c;
        if (c == stop)
            break;
    }
    if (to)
        to[n] = 0;
    *line = to;
    *room = size;
    libc_wrote(line, sizeof *line, site);
    libc_wrote(room, sizeof *room, site);
    return n ? (ssize_t)n : -1;
}

MODEL_IS(ssize_t, getdelim, (char **line, size_t *room, int stop, FILE *from),
         get_until(line, room, stop, from, "getdelim"))
MODEL_ALSO(__getdelim, getdelim)
MODEL_IS(ssize_t, getline, (char **line, size_t *room, FILE *from),
         get_until(line, room, '\n', from, "getline"))

/* ---- Formatted ---- */

static int scan(FILE *from, const char *format, va_list list, const char *name)
{
    libc_reads_text(format, enter(from, name));
    return vfscanf(from, format, list);
}

/* The four names of one function, with and without a list. */
#define SCANS(prefix)                                                          \
    int __fencer_##prefix##vfscanf(FILE *from, const char *format,             \
                                   va_list list)                               \
    {                                                                          \
        return scan(from, format, list, "fscanf");                             \
    }                                                                          \
    int __fencer_##prefix##vscanf(const char *format, va_list list)            \
    {                                                                          \
        return scan(stdin, format, list, "scanf");                             \
    }                                                                          \
    int __fencer_##prefix##fscanf(FILE *from, const char *format, ...)         \
    {                                                                          \
        va_list list;                                                          \
        int n;                                                                 \
                                                                               \
        va_start(list, format);                                                \
        n = scan(from, format, list, "fscanf");                                \
        va_end(list);                                                          \
        return n;                                                              \
    }                                                                          \
    int __fencer_##prefix##scanf(const char *format, ...)                      \
    {                                                                          \
        va_list list;                                                          \
        int n;                                                                 \
                                                                               \
        va_start(list, format);                                                \
        n = scan(stdin, format, list, "scanf");                                \
        va_end(list);                                                          \
        return n;                                                              \
    }

SCANS()
SCANS(__isoc99_)
SCANS(__isoc23_)
