/* SPDX-License-Identifier: MIT
 *
 * The ways a program ends: exit and its handlers, abort, a failed assertion,
 * and err.h's functions, which print and exit.
 *
 * Handlers are taken off the table before they run, so that an exit inside a
 * handler goes on with the rest, as glibc does.  Any thread may end the
 * program; the handlers run in it.
 */
#include "libc/libc.h"

#include <assert.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/must.h"

extern const struct fencer_program __fencer_program;

#define HANDLERS_MAX 4096

struct handler {
    void (*plain)(void);
    void (*with_argument)(void *);
    void (*with_code)(int, void *);
    void *argument;
};

struct handlers {
    uint32_t count;
    struct handler list[HANDLERS_MAX];
};

static struct handlers at_exit, at_quick;
static uint64_t destructors_done;
static int exit_code; /* what on_exit's handlers are told */

void libc_reset_exit(void)
{
    at_exit.count = at_quick.count = 0;
    destructors_done = 0;
    exit_code = 0;
}

/* Beyond the limit the functions report failure, as POSIX lets them. */
static int add(struct handlers *to, struct handler h)
{
    rt_take_site();
    MUST(to->count <= HANDLERS_MAX);
    if (to->count == HANDLERS_MAX)
        return -1;
    to->list[to->count++] = h;
    return 0;
}

MODEL_IS(int, atexit, (void (*run)(void)),
         add(&at_exit, (struct handler){.plain = run}))
MODEL_IS(int, at_quick_exit, (void (*run)(void)),
         add(&at_quick, (struct handler){.plain = run}))
MODEL_IS(
    int, on_exit, (void (*run)(int, void *), void *argument),
    add(&at_exit, (struct handler){.with_code = run, .argument = argument}))
HIDDEN_IS(
    int, __cxa_atexit, (void (*run)(void *), void *argument, void *object),
    add(&at_exit, (struct handler){.with_argument = run, .argument = argument}))
HIDDEN_IS(int, __cxa_at_quick_exit,
          (void (*run)(void *), void *argument, void *object),
          add(&at_quick,
              (struct handler){.with_argument = run, .argument = argument}))

/* The program is one object, and its handlers run at exit. */
HIDDEN_DOES(__cxa_finalize, (void *object), rt_take_site())

/* ---- exit ---- */

static void run_all(struct handlers *from)
{
    while (from->count) {
        struct handler h = from->list[--from->count];

        if (h.plain)
            h.plain();
        else if (h.with_argument)
            h.with_argument(h.argument);
        else
            h.with_code(exit_code, h.argument);
    }
}

void libc_run_exit_handlers(void)
{
    run_all(&at_exit);
    while (destructors_done < __fencer_program.dtor_count)
        __fencer_program.dtors[destructors_done++].run();
    if (libc_uses_state())
        fflush(NULL);
}

static _Noreturn void leave(int code)
{
    exit_code = code;
    libc_run_exit_handlers();
    rt_exit(code);
}

/* Is there something that still runs at exit? */
static bool has_handlers(void)
{
    return at_exit.count || at_quick.count || __fencer_program.dtor_count ||
           libc_uses_state();
}

/* To a thread that is run by itself the end of the program is its own end. */
static void enter_exit(void)
{
    if (rt.graphs && !has_handlers())
        rt_take_site_of_end();
    else if (rt.graphs)
        rt_take_site_known();
    else
        libc_enter_draining();
}

MODEL(void, exit, (int code))
{
    enter_exit();
    leave(code);
}

MODEL(void, _exit, (int code))
{
    enter_exit();
    rt_exit(code);
}

MODEL_ALSO(_Exit, _exit)

MODEL(void, quick_exit, (int code))
{
    enter_exit();
    run_all(&at_quick);
    rt_exit(code);
}

/* ---- Failures ---- */

MODEL(void, abort, (void))
{
    rt_fail(FAIL_ABORT, rt_take_site(), NULL);
}

HIDDEN(
    void, __assert_fail,
    (const char *claim, const char *file, unsigned line, const char *function))
{
    rt_fail(FAIL_ASSERT, rt_take_site(), "assertion failed: %s", claim);
}

HIDDEN(void, __assert, (const char *claim, const char *file, int line))
{
    rt_fail(FAIL_ASSERT, rt_take_site(), "assertion failed: %s", claim);
}

HIDDEN(void, __assert_perror_fail,
       (int number, const char *file, unsigned line, const char *function))
{
    rt_fail(FAIL_ASSERT, rt_take_site(), "unexpected error: %s",
            strerror(number));
}

/* ---- err.h and error.h ---- */

static void print(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    libc_print(stderr, "err", format, list, 0);
    va_end(list);
}

/* "program: message: what errno says", the parts that are there. */
static void complain(const char *format, va_list list, const int *number,
                     uint32_t site)
{
    print("%s: ", program_invocation_short_name);
    if (format)
        libc_print(stderr, "err", format, list, site);
    if (number)
        print("%s%s", format ? ": " : "", strerror(*number));
    print("\n");
}

MODEL(void, vwarn, (const char *format, va_list list))
{
    int number = errno;

    complain(format, list, &number, libc_enter_draining());
    errno = number;
}

MODEL_DOES(vwarnx, (const char *format, va_list list),
           complain(format, list, NULL, libc_enter_draining()))

MODEL(void, verr, (int code, const char *format, va_list list))
{
    __fencer_vwarn(format, list);
    leave(code);
}

MODEL(void, verrx, (int code, const char *format, va_list list))
{
    __fencer_vwarnx(format, list);
    leave(code);
}

MODEL(void, warn, (const char *format, ...))
{
    va_list list;

    va_start(list, format);
    __fencer_vwarn(format, list);
    va_end(list);
}

MODEL(void, warnx, (const char *format, ...))
{
    va_list list;

    va_start(list, format);
    __fencer_vwarnx(format, list);
    va_end(list);
}

MODEL(void, err, (int code, const char *format, ...))
{
    va_list list;

    va_start(list, format);
    __fencer_verr(code, format, list);
}

MODEL(void, errx, (int code, const char *format, ...))
{
    va_list list;

    va_start(list, format);
    __fencer_verrx(code, format, list);
}

MODEL(void, error, (int code, int number, const char *format, ...))
{
    uint32_t site = libc_enter_draining();
    va_list list;

    va_start(list, format);
    complain(format, list, number ? &number : NULL, site);
    va_end(list);
    if (code)
        leave(code);
}
