/* SPDX-License-Identifier: MIT
 *
 * How a program fails: what is written down, and the signals that stand for a
 * failure.  The handlers run on their own stack, note the failure, and leave
 * the program's fibers for the driver; the process lives on and runs the next
 * execution.  A fault inside a library may have left it in any state, so there
 * the process ends and the tool starts another.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libc/libc.h"
#include "runtime/arch.h"
#include "runtime/driver.h"
#include "runtime/heap.h"
#include "runtime/layout.h"
#include "runtime/runtime_record.h"
#include "runtime/sched.h"

#define ALT_STACK (64u << 10)

/* The program's code, and the runtime's, which has a section of its own. */
extern char __executable_start[], etext[];
extern char __start_fencer_text[], __stop_fencer_text[];

const struct fencer_site *rt_site(uint32_t site)
{
    if (site >= __fencer_program.site_count)
        site = 0;
    return &__fencer_program.sites[site];
}

static void note_failure(enum failure_kind kind, uint32_t site)
{
    struct channel_failure *f = &rt.channel->failure;
    struct thread *t = sched_blamed(&site);

    if (!site)
        site = rt.current->site;
    f->kind = kind;
    f->site = site;
    f->thread = t ? t->id : rt.current->id;
    f->run = rt.run;
    f->signal = 0;
    f->exit_code = 0;
    f->pc = 0;
    f->message[0] = '\0';
}

static size_t append(char *to, size_t size, size_t used, const char *format,
                     ...)
{
    va_list arguments;

    if (used + 1 >= size)
        return used;
    va_start(arguments, format);
    used += rt_format(to + used, size - used, format, arguments);
    va_end(arguments);
    return used;
}

/* Without the tool the program dies as it would by itself, and says why. */
static _Noreturn void die_alone(const struct channel_failure *f)
{
    const struct fencer_site *s = rt_site(f->site);
    struct sigaction plain = {.sa_handler = SIG_DFL};
    char line[1024];
    size_t n;

    n = append(line, sizeof line, 0, "%s:%u: %s\n", s->file, s->line,
               f->message);
    (void)!write(STDERR_FILENO, line, n);
    sigaction(SIGABRT, &plain, NULL);
    raise(SIGABRT);
    _exit(1);
}

/* In a trace it is the blamed thread's event, whoever runs. */
static void record_failure(const struct channel_failure *f)
{
    struct event e = {.kind = EV_FAIL, .value = f->kind, .site = f->site};

    record_event(&rt.threads[f->thread], &e, 0);
}

static _Noreturn void fail_now(void)
{
    struct channel_failure *f = &rt.channel->failure;

    if (driver_is_standalone())
        die_alone(f);

    sched_blame(NULL, 0);
    record_failure(f);
    if (rt.channel->flags & CHANNEL_STOP)
        raise(SIGTRAP);
    driver_end(END_FAILED);
}

void rt_fail(enum failure_kind kind, uint32_t site, const char *format, ...)
{
    struct channel_failure *f = &rt.channel->failure;
    va_list arguments;

    note_failure(kind, site);
    if (format) {
        va_start(arguments, format);
        rt_format(f->message, sizeof f->message, format, arguments);
        va_end(arguments);
    } else {
        strcpy(f->message, failure_kind_words(kind));
    }
    /* It is told among the limits, which have no place for a line. */
    if (kind == FAIL_UNSUPPORTED && rt_site(site)->line)
        append(f->message, sizeof f->message, strlen(f->message), " (%s:%u)",
               rt_site(site)->file, rt_site(site)->line);
    fail_now();
}

static void record_stuck(const struct thread *t)
{
    struct event e = {.kind = EV_STUCK, .site = t->site};

    record_event(t, &e, 0);
}

/* "deadlock: thread 1 waits for ... (queue.c:12), thread 2 ..." */
void rt_fail_stuck(enum failure_kind kind, const struct thread *worst)
{
    struct channel_failure *f = &rt.channel->failure;
    const char *sep = ": ";
    size_t n;

    note_failure(kind, worst ? worst->site : 0);
    if (worst)
        f->thread = worst->id;
    n = append(f->message, sizeof f->message, 0, "%s",
               failure_kind_words(kind));
    for (uint32_t i = 0; i < rt.thread_count; i++) {
        const struct thread *t = &rt.threads[i];
        const struct fencer_site *s = rt_site(t->site);

        if (t->state != THREAD_BLOCKED && t->state != THREAD_AWAITS)
            continue;
        n = append(f->message, sizeof f->message, n,
                   "%sthread %u %s%s (line %u)", sep, t->id,
                   t->state == THREAD_AWAITS ? "spins for ever" : "waits for ",
                   t->state == THREAD_AWAITS ? "" : t->blocked_words, s->line);
        sep = ", ";
        if (t->id != f->thread)
            record_stuck(t);
    }
    fail_now();
}

void rt_exit(int code)
{
    struct channel_failure *f = &rt.channel->failure;

    if (driver_is_standalone())
        _exit(code);
    if (!code)
        driver_end(END_COMPLETE);
    note_failure(FAIL_EXIT_CODE, 0);
    f->exit_code = code;
    append(f->message, sizeof f->message, 0,
           "the program ended with exit code %d", code);
    fail_now();
}

void rt_end_execution(void)
{
    driver_end(END_ASSUMED);
}

void rt_assume_not(void)
{
    if (rt.strategy->explores)
        rt_park(END_ASSUMED);
    rt_end_execution();
}

void rt_cut_execution(void)
{
    rt.channel->explore.too_long++;
    driver_end(END_CUT);
}

void rt_end_redundant(void)
{
    driver_end(END_REDUNDANT);
}

/* ---- Signals ---- */

static bool in_stack_guard(uint64_t address, uint64_t sp)
{
    uint64_t id = (address - FIBER_AT) / FIBER_SIZE;
    uint64_t into = (address - FIBER_AT) % FIBER_SIZE;

    if (address - FIBER_AT >= FIBER_SIZE * RT_MAX_THREADS)
        return false;
    return into < FIBER_GUARD || (id < rt.thread_count && sp < address + 4096 &&
                                  into < FIBER_GUARD + 4096);
}

static enum failure_kind kind_of(int signal, uint64_t address, uint64_t sp)
{
    switch (signal) {
    case SIGFPE:
        return FAIL_ARITHMETIC;
    case SIGILL:
    case SIGTRAP:
        return FAIL_ILLEGAL;
    case SIGABRT:
        return FAIL_ABORT;
    default:
        if (in_stack_guard(address, sp))
            return FAIL_STACK_OVERFLOW;
        return address < 65536 ? FAIL_NULL_ACCESS : FAIL_SEGV;
    }
}

static bool is_in(uint64_t pc, const char *start, const char *end)
{
    return pc >= (uint64_t)start && pc < (uint64_t)end;
}

/* Where no hook was under way, the last one says little: the instruction says
 * more.  A call of what is no function has left its place on the stack. */
static void note_place(struct channel_failure *f, const struct arch_fault *at,
                       uint64_t address)
{
    uint64_t pc = at->pc;

    if (pc == address && libc_is_own((void *)at->sp))
        pc = *(const uint64_t *)at->sp - 1;
    /* Where a stack ends is chance: in the program's code or in a hook. */
    if (f->kind == FAIL_STACK_OVERFLOW)
        f->pc = pc;
    if (is_in(pc, __start_fencer_text, __stop_fencer_text))
        return;
    if (is_in(pc, __executable_start, etext)) {
        f->pc = pc;
        return;
    }
    /* Code of a library was interrupted: it may hold its locks for ever. */
    rt.must_leave = true;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    struct arch_fault at = arch_fault_of(context);
    /* An address that is none (not canonical) comes as 0, from the kernel. */
    bool is_access = signal == SIGSEGV || signal == SIGBUS;
    uint64_t address = is_access && info->si_code != SI_KERNEL
                           ? (uint64_t)info->si_addr
                           : UINT64_MAX;
    enum failure_kind kind = kind_of(signal, address, at.sp);
    struct channel_failure *f = &rt.channel->failure;

    /* Nor is there an execution to end where the driver itself faults: the
     * program wrote over what is not its own. */
    if (driver_is_standalone() || !sched_is_running()) {
        struct sigaction plain = {.sa_handler = SIG_DFL};

        sigaction(signal, &plain, NULL);
        return; /* the same instruction faults again */
    }
    note_failure(kind, 0);
    f->signal = (uint32_t)signal;
    if (kind == FAIL_NULL_ACCESS)
        append(f->message, sizeof f->message, 0, "%s through a null pointer",
               at.write ? "store" : "load");
    else
        strcpy(f->message, failure_kind_words(kind));
    note_place(f, &at, address);
    fail_now();
}

void fault_install(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    stack_t stack = {.ss_size = ALT_STACK};
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags =
                                   SA_SIGINFO | SA_ONSTACK | SA_NODEFER};

    stack.ss_sp = mmap(NULL, ALT_STACK, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaltstack(&stack, NULL);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}
