/* SPDX-License-Identifier: MIT
 *
 * Unformatted output, and what programs do to stdout and stderr besides.
 *
 * Both streams are captured: bytes go to the tool, in the order written, and
 * the C library's own streams stay untouched, so that nothing needs to be
 * undone.  A program that closes, reopens or redirects one of them takes it
 * out of our hands; from then on it is a file like any other.
 */
#include "libc/libc.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

#include "runtime/driver.h"

static bool released[3]; /* by descriptor: not captured any more */

void libc_reset_stdio(void)
{
    memset(released, 0, sizeof released);
}

/* Without the tool nobody would read what we capture. */
bool libc_captures_fd(int fd)
{
    return !driver_is_standalone() &&
           (fd == STDOUT_FILENO || fd == STDERR_FILENO) && !released[fd];
}

bool libc_captures(FILE *stream)
{
    return (stream == stdout && libc_captures_fd(STDOUT_FILENO)) ||
           (stream == stderr && libc_captures_fd(STDERR_FILENO));
}

void libc_release_fd(int fd)
{
    if (fd >= 0 && fd < 3)
        released[fd] = true;
}

static bool captures_or_state(FILE *to, const char *name)
{
    if (libc_captures(to))
        return true;
    libc_needs_process(name);
    return false;
}

/* ---- Writing ---- */

static size_t write_out(const void *from, size_t count, FILE *to,
                        const char *name)
{
    if (!captures_or_state(to, name))
        return fwrite(from, 1, count, to);
    rt_output(from, count);
    return count;
}

static size_t put(const void *from, size_t count, FILE *to, const char *name)
{
    uint32_t site = libc_enter();
    size_t done = 0, n, put;

    if (libc_is_constant(from))
        return write_out(from, count, to, name);
    if (count)
        rt_check_range(from, count, false, site);
    do {
        char piece[512];

        n = count - done < sizeof piece ? count - done : sizeof piece;
        libc_in(piece, (const char *)from + done, n, site);
        put = write_out(piece, n, to, name);
        done += put;
    } while (put == n && done < count);
    return done;
}

static int put_char(int c, FILE *to, const char *name)
{
    char byte = (char)c;

    libc_enter();
    if (!captures_or_state(to, name))
        return putc(c, to);
    rt_output(&byte, 1);
    return (unsigned char)c;
}

static int put_text(const char *text, FILE *to, bool line, const char *name)
{
    struct libc_text t;

    text = libc_text(&t, text, SIZE_MAX, libc_enter());
    if (!captures_or_state(to, name)) {
        if (fputs(text, to) < 0 || (line && putc('\n', to) < 0))
            return EOF;
        return 1;
    }
    rt_output(text, strlen(text));
    if (line)
        rt_output("\n", 1);
    return 1;
}

MODEL_IS(int, puts, (const char *text), put_text(text, stdout, true, "puts"))
MODEL_ALSO(_IO_puts, puts)
MODEL_IS(int, fputs, (const char *text, FILE *to),
         put_text(text, to, false, "fputs"))
MODEL_IS(int, fputs_unlocked, (const char *text, FILE *to),
         put_text(text, to, false, "fputs_unlocked"))
MODEL_IS(int, putchar, (int c), put_char(c, stdout, "putchar"))
MODEL_IS(int, putchar_unlocked, (int c),
         put_char(c, stdout, "putchar_unlocked"))
MODEL_IS(int, putc, (int c, FILE *to), put_char(c, to, "putc"))
MODEL_IS(int, fputc, (int c, FILE *to), put_char(c, to, "fputc"))
MODEL_IS(int, putc_unlocked, (int c, FILE *to),
         put_char(c, to, "putc_unlocked"))
MODEL_IS(int, fputc_unlocked, (int c, FILE *to),
         put_char(c, to, "fputc_unlocked"))
MODEL_ALSO(_IO_putc, putc)

/* What the header's inline putc_unlocked calls when a stream has no room, as
 * the captured ones never have. */
HIDDEN_IS(int, __overflow, (FILE *to, int c), put_char(c, to, "putc_unlocked"))

static size_t put_items(const void *from, size_t size, size_t count, FILE *to,
                        const char *name)
{
    size_t all;

    if (__builtin_mul_overflow(size, count, &all) || !all)
        return 0;
    return put(from, all, to, name) / size;
}

MODEL_IS(size_t, fwrite,
         (const void *from, size_t size, size_t count, FILE *to),
         put_items(from, size, count, to, "fwrite"))
MODEL_IS(size_t, fwrite_unlocked,
         (const void *from, size_t size, size_t count, FILE *to),
         put_items(from, size, count, to, "fwrite_unlocked"))

static void say(const char *before, const char *words)
{
    if (before && *before) {
        rt_output(before, strlen(before));
        rt_output(": ", 2);
    }
    rt_output(words, strlen(words));
    rt_output("\n", 1);
}

MODEL(void, perror, (const char *before))
{
    int number = errno;
    uint32_t site = libc_enter();
    struct libc_text t;

    if (before)
        before = libc_text(&t, before, SIZE_MAX, site);
    if (captures_or_state(stderr, "perror")) {
        say(before, strerror(number));
    } else {
        errno = number;
        perror(before);
    }
}

MODEL(void, psignal, (int number, const char *before))
{
    uint32_t site = libc_enter();
    struct libc_text t;

    if (before)
        before = libc_text(&t, before, SIZE_MAX, site);
    if (captures_or_state(stderr, "psignal"))
        say(before, strsignal(number));
    else
        psignal(number, before);
}

/* ---- The streams themselves ---- */

MODEL(int, fflush, (FILE *stream))
{
    libc_enter();
    if (stream && libc_captures(stream))
        return 0;
    if (stream)
        libc_needs_process("fflush");
    return fflush(stream); /* NULL: all; the captured ones hold nothing */
}

MODEL_ALSO(fflush_unlocked, fflush)

MODEL(int, setvbuf, (FILE *stream, char *buffer, int mode, size_t size))
{
    libc_enter();
    if (captures_or_state(stream, "setvbuf"))
        return mode == _IOFBF || mode == _IOLBF || mode == _IONBF ? 0 : -1;
    return setvbuf(stream, buffer, mode, size);
}

MODEL_DOES(setbuf, (FILE *stream, char *buffer),
           __fencer_setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ))
MODEL_DOES(setbuffer, (FILE *stream, char *buffer, size_t size),
           __fencer_setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, size))
MODEL_DOES(setlinebuf, (FILE *stream),
           __fencer_setvbuf(stream, NULL, _IOLBF, 0))

/* Programs close stdout at their end to learn of errors; there are none. */
MODEL(int, fclose, (FILE *stream))
{
    libc_enter();
    return captures_or_state(stream, "fclose") ? 0 : fclose(stream);
}

MODEL(int, fcloseall, (void))
{
    libc_enter_state("fcloseall");
    libc_release_fd(STDOUT_FILENO);
    libc_release_fd(STDERR_FILENO);
    return fcloseall();
}

static FILE *reopen(const char *path, const char *mode, FILE *stream)
{
    uint32_t site = libc_enter_state("freopen");
    int fd = fileno(stream);

    if (path)
        libc_reads_text(path, site);
    libc_reads_text(mode, site);
    if (libc_captures(stream))
        libc_release_fd(fd);
    return freopen(path, mode, stream);
}

MODEL_IS(FILE *, freopen, (const char *path, const char *mode, FILE *stream),
         reopen(path, mode, stream))
MODEL_ALSO(freopen64, freopen)

/* These only look; a stream of the program's own made it STATE already. */

MODEL_IS(int, fileno, (FILE *stream), (rt_take_site_known(), fileno(stream)))
MODEL_ALSO(fileno_unlocked, fileno)
MODEL_IS(int, ferror, (FILE *stream),
         (rt_take_site_known(), libc_captures(stream) ? 0 : ferror(stream)))
MODEL_ALSO(ferror_unlocked, ferror)

MODEL(void, clearerr, (FILE *stream))
{
    rt_take_site_known();
    if (!libc_captures(stream))
        clearerr(stream);
}

MODEL_ALSO(clearerr_unlocked, clearerr)

MODEL(int, fwide, (FILE *stream, int mode))
{
    libc_enter();
    return captures_or_state(stream, "fwide") ? -1 : fwide(stream, mode);
}

/* Captured output is no terminal, wherever the tool's own output goes. */
MODEL(int, isatty, (int fd))
{
    rt_take_site_known(); /* it looks at no memory */
    if (libc_captures_fd(fd)) {
        errno = ENOTTY;
        return 0;
    }
    return isatty(fd);
}
