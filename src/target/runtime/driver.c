/* SPDX-License-Identifier: MIT
 *
 * `main` of every tested program: finds the channel to the tool, sets the
 * stage, and runs one execution after the other.
 *
 *   driver (never runs the program) -- fork --> worker: executions n, n+1, ...
 *
 * A worker resets the program's memory between executions.  It is replaced
 * when it died, when a fault inside a library made it unfit, or, for programs
 * that use what no reset can undo, after every execution.
 *
 * Without a channel the program runs once, on SC, as if it were itself.
 */
#define _GNU_SOURCE
#include "runtime/driver.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event/must.h"
#include "explore/explore.h"
#include "libc/libc.h"
#include "runtime/footprint.h"
#include "runtime/heap.h"
#include "runtime/layout.h"
#include "runtime/machine.h"
#include "runtime/mutant.h"
#include "runtime/native.h"
#include "runtime/place.h"
#include "runtime/runtime_record.h"
#include "runtime/sched.h"
#include "runtime/shadow.h"

#define DEFAULT_MAX_EVENTS 10000000ull
#define CUTS_IN_VAIN 5
/* Of one execution, where they are logged. */
#define HAPPENINGS_MAX (1u << 18)

/* How a worker process ends, besides 0: all done or stopped at a failure. */
enum { EXIT_UNFIT = 77, EXIT_NEEDS_PROCESS = 78, EXIT_BROKEN = 79 };

static bool standalone;
static bool by_process;
static bool always_by_process; /* the program needs it */
static enum execution_end ended;
static struct footprint footprint;
static struct happening happenings[HAPPENINGS_MAX];
static int main_argc;
static char **main_argv, **main_envp; /* the program's copies */
static char **given_argv, **given_envp;
static void *argument_image; /* what the copies look like at the start */
static size_t argument_bytes;

int main(int argc, char **argv, char **envp);
_Noreturn void __fencer_exit(int code);

bool driver_is_standalone(void)
{
    return standalone;
}

void must_fail(const char *place)
{
    if (rt.channel) {
        strncpy(rt.channel->message, place, sizeof rt.channel->message - 1);
        rt.channel->state = STATE_BROKEN;
    }
    (void)!write(STDERR_FILENO, place, strlen(place));
    (void)!write(STDERR_FILENO, "\n", 1);
    _exit(EXIT_BROKEN);
}

void rt_output(const char *bytes, size_t count)
{
    struct channel *c = rt.channel;
    char *to = (char *)c + CHANNEL_OUTPUT_AT;
    size_t room = CHANNEL_OUTPUT_MAX - c->output_count;

    if (!rt.strategy->explores)
        footprint_all();
    if (standalone) {
        while (count) {
            ssize_t n = write(STDOUT_FILENO, bytes, count);

            if (n <= 0)
                return;
            bytes += n;
            count -= (size_t)n;
        }
        return;
    }
    if (count > room) {
        c->output_lost += count - room;
        count = room;
    }
    memcpy(to + c->output_count, bytes, count);
    c->output_count += count;
    record_output(bytes, count);
}

void rt_nondeterministic(const char *what, const char *of, uint32_t site)
{
    struct channel_source *s = &rt.channel->nondeterministic;

    if (rt.graphs)
        native_refuse(what, site); /* no function of what the thread read */
    if (s->what[0])
        return;
    s->site = site;
    strncpy(s->what, what, sizeof s->what / 2);
    if (of) {
        strcat(s->what, " of ");
        strncat(s->what, of, sizeof s->what - strlen(s->what) - 1);
    }
}

void rt_needs_process(const char *why)
{
    struct channel *c = rt.channel;

    if (by_process || standalone || (rt.graphs && native_may_repeat(why)))
        return;
    if (!c->by_process)
        strncpy(c->by_process_why, why, sizeof c->by_process_why - 1);
    c->by_process = 1;
    if (c->count > 1 && !(c->flags & CHANNEL_STOP))
        _exit(EXIT_NEEDS_PROCESS); /* the driver runs this one again */
    by_process = true;
}

/* ---- The program's arguments, fresh for each execution ---- */

static size_t count_bytes(char **list, size_t *entries)
{
    size_t bytes = 0;

    for (*entries = 0; list[*entries]; ++*entries)
        bytes += strlen(list[*entries]) + 1;
    ++*entries;
    return bytes + *entries * sizeof(char *);
}

static char *copy_list(char **to, char **from, char *text)
{
    for (; *from; from++, to++) {
        size_t n = strlen(*from) + 1;

        memcpy(text, *from, n);
        *to = text;
        text += n;
    }
    *to = NULL;
    return text;
}

static void map_arguments(void)
{
    size_t n, m, size;
    size_t a = count_bytes(given_argv, &n);
    size_t e = count_bytes(given_envp, &m);
    char *text;

    argument_bytes = a + e;
    size = (argument_bytes + 4095) & ~4095ull;
    main_argv = mmap((void *)ARGUMENTS_AT, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    argument_image = mmap(NULL, size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    main_envp = main_argv + n;
    memset(shadow_of((uint64_t)main_argv), SHADOW_DIRTY, size >> SHADOW_SHIFT);
    text = copy_list(main_argv, given_argv, (char *)(main_argv + n + m));
    copy_list(main_envp, given_envp, text);
    memcpy(argument_image, main_argv, argument_bytes);
}

/* ---- One execution ---- */

static void main_thread(struct thread *t)
{
    int code;

    (void)t;
    for (uint64_t i = 0; i < __fencer_program.ctor_count; i++)
        __fencer_program.ctors[i].run();
    code = __fencer_program.main(main_argc, main_argv, main_envp);
    if (rt.channel->spec == SPEC_FORBIDDEN)
        observe_judge(0);            /* of a program that is no test, too */
    if (rt.live > 1 && !rt.graphs) { /* others may do something before that */
        rt_step(EV_EXIT, NULL, 0, 0);
        footprint_all();
    }
    __fencer_exit(code);
}

void driver_end(enum execution_end how)
{
    MUST(sched_is_running());
    if (rt.graphs)
        native_ended(how);
    ended = how;
    sched_stop();
}

static void reset(void)
{
    static bool used;

    if (used) {
        shadow_reset();
        heap_reset();
    }
    used = true;
    memcpy(main_argv, argument_image, argument_bytes);
    libc_reset();
    observe_reset();
    record_begin();
    rt.channel->output_count = 0;
}

/* An execution of STRATEGY_EVERY that comes before those asked for. */
static bool is_prelude(uint64_t run)
{
    return run < rt.channel->first;
}

static void account(void)
{
    struct channel *c = rt.channel;
    uint32_t outcome = 0;

    c->events += rt.events;
    c->checked |= __fencer_checked;
    if (ended == END_REDUNDANT) {
        c->redundant++;
        return;
    }
    c->done++;
    switch (ended) {
    case END_CUT:
        c->cut++;
        break;
    case END_ASSUMED:
        c->assumed++;
        break;
    case END_FAILED:
        c->failed++;
        c->failures_by_kind[c->failure.kind]++;
        c->complete++;
        /* What fails is no example to others. */
        if (!(c->flags & CHANNEL_SERIAL))
            outcome = observe_count();
        break;
    default:
        c->complete++;
        outcome = observe_count();
    }
    record_end(ended, outcome);
}

/* Here and not in the handler that noted it: another program answers. */
static void find_place_of_failure(struct channel_failure *f)
{
    uint32_t site = f->pc ? place_find(f->pc) : 0;

    if (!site)
        return;
    f->site = site;
    record_place(site);
}

void driver_begin(void)
{
    rt.serial++;
    reset();
    sched_begin(main_thread);
}

static void execute(uint64_t run)
{
    struct channel *c = rt.channel;

    rt.run = c->run = run;
    rt.tracing = c->flags & CHANNEL_TRACE && !is_prelude(run);
    rt.untold = false;
    rt.recording = c->flags & CHANNEL_RECORD && !is_prelude(run);
    rt.strategy->begin(c->seed, run, c->pct_depth);
    driver_begin();
    sched_run();
    rt.view.how = ended;
    if (rt.strategy->is_done && !rt.strategy->is_done())
        c->misfit = 1;
    if (ended == END_FAILED)
        find_place_of_failure(&c->failure);
    c->happening_count = rt.view.log_count;
    if (rt.strategy->end)
        rt.strategy->end(&rt.view);
    if (rt.strategy->counts && !rt.strategy->counts())
        ended = END_REDUNDANT;
    if (!is_prelude(run))
        account();
    else
        c->failure.kind = FAIL_NONE;
}

/* ---- Many of them ---- */

/* Has the cycle been created, in an execution that is of interest? */
static bool goal_is_done(const struct channel_goal *g)
{
    const struct channel *c = rt.channel;

    if (g->stop == GOAL_STOP_NEVER || !g->hits || g->hit_run != c->run)
        return false;
    return g->stop == GOAL_STOP_AT_HIT ||
           (c->failed && c->failure.run == c->run);
}

/* A failure is enough, and so are a few executions of which none came to its
 * end (the others will not either), a channel that has no more room, and all
 * that there is. */
static bool enough(void)
{
    const struct channel *c = rt.channel;

    if (c->cut >= CUTS_IN_VAIN && !c->complete)
        return true;
    if (c->full || (rt.strategy->is_over && rt.strategy->is_over(c)))
        return true;
    if (c->goal.node_count && goal_is_done(&c->goal))
        return true;
    return c->failed && !(c->flags & CHANNEL_KEEP_GOING);
}

/* The number of the execution to come. */
static uint64_t run_to_come(void)
{
    if (rt.strategy->run)
        return rt.strategy->run();
    return rt.channel->first + rt.channel->done;
}

static bool is_over(void)
{
    return run_to_come() >= rt.channel->first + rt.channel->count || enough();
}

static void work(void)
{
    if (rt.strategy->work)
        rt.strategy->work(by_process);
    while (!is_over()) {
        execute(run_to_come());
        if (rt.must_leave)
            _exit(EXIT_UNFIT);
        if (by_process)
            break;
    }
}

/* The worker died in the middle of an execution: something the handlers could
 * not catch, such as a wild store over our own memory. */
static void note_death(int status)
{
    struct channel *c = rt.channel;

    rt.view.how = END_FAILED;
    if (rt.strategy->abandon)
        rt.strategy->abandon(&rt.view);
    if (is_prelude(c->run))
        return;
    c->done++;
    c->failed++;
    c->complete++;
    c->failure = (struct channel_failure){
        .kind = FAIL_SIGNAL,
        .run = c->run,
        .signal = WIFSIGNALED(status) ? (uint32_t)WTERMSIG(status) : 0};
    c->failures_by_kind[FAIL_SIGNAL]++;
    strcpy(c->failure.message,
           "the program destroyed its own process (a wild store?)");
    record_end(END_FAILED, 0);
}

/* ---- Job after job ---- */

static void read_orders(struct channel *c);

static void finish(struct channel *c)
{
    c->exhausted = rt.strategy->is_exhausted && rt.strategy->is_exhausted();
    c->state = STATE_DONE;
}

/* Starting a process costs more than a thousand executions of a small test:
 * one that stays does job after job. */
static void wait_for_job(struct channel *c)
{
    uint32_t seen = c->job;
    uint64_t one = 1;

    if (write(c->done_fd, &one, sizeof one) != sizeof one)
        _exit(3);
    /* Pairs with the tool's release store: who sees the number sees the job. */
    while (__atomic_load_n(&c->job, __ATOMIC_ACQUIRE) == seen)
        syscall(SYS_futex, &c->job, FUTEX_WAIT, seen, NULL, NULL, 0);
    read_orders(c);
    record_map();
    observe_forget();
    if (rt.strategy->forget)
        rt.strategy->forget();
    c->state = STATE_RUNNING;
}

/* In a process of its own.  Between jobs it is as fit as between executions. */
static _Noreturn void work_and_stay(void)
{
    struct channel *c = rt.channel;

    for (;;) {
        work();
        if (by_process || !(c->flags & CHANNEL_STAY))
            _exit(0);
        finish(c);
        wait_for_job(c);
    }
}

/* Runs executions in a new process. */
static void spawn(void)
{
    int status = 0;
    pid_t pid = fork();

    if (pid < 0) {
        strcpy(rt.channel->message, "fork failed");
        rt.channel->state = STATE_BAD_PROGRAM;
        _exit(3);
    }
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        work_and_stay();
    }
    waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_BROKEN)
        _exit(EXIT_BROKEN);
    read_orders(rt.channel); /* of the job that it was at */
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NEEDS_PROCESS)
        always_by_process = by_process = true;
    else if (!WIFEXITED(status) ||
             (WEXITSTATUS(status) && WEXITSTATUS(status) != EXIT_UNFIT))
        note_death(status);
}

/* The job under way may be another than at the start: the process that ended
 * may have done some before. */
static void run_all(void)
{
    struct channel *c = rt.channel;

    c->state = STATE_RUNNING;
    if (c->flags & CHANNEL_STOP)
        work();
    else
        while (!is_over())
            spawn();
    finish(c);
}

static void do_jobs(struct channel *c)
{
    run_all();
    while (c->flags & CHANNEL_STAY) {
        wait_for_job(c);
        run_all();
    }
}

/* ---- Setting the stage ---- */

static _Noreturn void refuse(const char *why)
{
    if (rt.channel) {
        strncpy(rt.channel->message, why, sizeof rt.channel->message - 1);
        rt.channel->state = STATE_BAD_PROGRAM;
    }
    (void)!write(STDERR_FILENO, "fencer: ", 8);
    (void)!write(STDERR_FILENO, why, strlen(why));
    (void)!write(STDERR_FILENO, "\n", 1);
    _exit(3);
}

/* No address may differ between two runs. */
static void fix_addresses(char **argv)
{
    int now = personality(0xffffffff);

    if (now == -1 || now & ADDR_NO_RANDOMIZE)
        return;
    if (personality((unsigned long)now | ADDR_NO_RANDOMIZE) != -1)
        execv("/proc/self/exe", argv);
}

static struct channel *open_channel(void)
{
    const char *fd = getenv(CHANNEL_ENV);
    int prot = PROT_READ | PROT_WRITE;
    struct channel *c;

    if (!fd) {
        standalone = true;
        c = mmap((void *)CHANNEL_ADDRESS, CHANNEL_SIZE, prot,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                     MAP_FIXED_NOREPLACE,
                 -1, 0);
        if (c == MAP_FAILED)
            refuse("no address space for the channel");
        strcpy(c->model, "sc");
        c->strategy = STRATEGY_RR;
        c->count = 1;
        return c;
    }
    c = mmap((void *)CHANNEL_ADDRESS, CHANNEL_SIZE, prot,
             MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, atoi(fd), 0);
    if (c == MAP_FAILED || c->magic != CHANNEL_MAGIC || c->size != sizeof *c)
        refuse("this program was built for another version of fencer");
    close(atoi(fd));
    unsetenv(CHANNEL_ENV);
    return c;
}

static const struct strategy *const strategies[] = {
    [STRATEGY_RANDOM] = &strategy_random,
    [STRATEGY_PCT] = &strategy_pct,
    [STRATEGY_POS] = &strategy_pos,
    [STRATEGY_RR] = &strategy_rr,
    [STRATEGY_EVERY] = &strategy_every,
    [STRATEGY_DESCENT] = &strategy_sample,
    [STRATEGY_FORWARD] = &strategy_sample,
    [STRATEGY_DEPTH] = &strategy_sample,
    [STRATEGY_MIXED] = &strategy_sample,
    [STRATEGY_REPLAY] = &strategy_replay,
    [STRATEGY_RELAXER] = &strategy_relaxer,
    [STRATEGY_ORION] = &strategy_orion,
    [STRATEGY_DIRECTED] = &strategy_directed,
    [STRATEGY_EXPLORE] = &strategy_explore,
    [STRATEGY_WITNESS] = &strategy_witness,
    [STRATEGY_GRAPH] = &strategy_graph,
};

static void open_strategy(struct channel *c)
{
    if (c->strategy >= sizeof strategies / sizeof *strategies)
        refuse("the program does not know that strategy");
    rt.strategy = strategies[c->strategy];
    rt.graphs = rt.strategy->work != NULL;
    if (rt.strategy->open && !rt.strategy->open(c, rt.model))
        refuse("no memory for the search");
    rt.view.footprint = rt.strategy->footprints ? &footprint : NULL;
    rt.view.log =
        rt.strategy->logs && !rt.model->delays_stores ? happenings : NULL;
    rt.view.log_room = HAPPENINGS_MAX;
    if (c->flags & CHANNEL_LOG) {
        rt.view.log = (struct happening *)((char *)c + CHANNEL_LOG_AT);
        rt.view.log_room = CHANNEL_LOG_MAX;
    }
}

static void read_orders(struct channel *c)
{
    rt.model = model_find(c->model);
#ifdef FENCER_MUTANT
    mutant_choose();
    rt.model = mutant_model(rt.model);
#endif
    if (!rt.model)
        refuse("the program does not know that model");
    rt.tracing = c->flags & CHANNEL_TRACE;
    rt.recording = c->flags & CHANNEL_RECORD;
    rt.max_events = c->max_events ? c->max_events : DEFAULT_MAX_EVENTS;
    rt.buffer_limit = RT_BUFFER_MAX;
    if (c->buffer && c->buffer < RT_BUFFER_MAX)
        rt.buffer_limit = (uint32_t)c->buffer;
    rt.fence_count = c->fence_count < CHANNEL_FENCES_MAX ? c->fence_count
                                                         : CHANNEL_FENCES_MAX;
    by_process = c->flags & CHANNEL_BY_PROCESS || always_by_process;
    open_strategy(c);
    MUST(model_has_machine(rt.model) || rt.graphs);
}

int main(int argc, char **argv, char **envp)
{
    main_argc = argc;
    given_argv = argv;
    given_envp = envp;
    if (__fencer_program.abi != FENCER_ABI)
        refuse("this program was built for another version of fencer");
    if (getenv(CHANNEL_ENV))
        fix_addresses(argv);
    rt.channel = open_channel();
    if (!shadow_map() || !heap_map() || !sched_map())
        refuse("no address space left for the runtime");
    read_orders(rt.channel);
    shadow_snapshot();
    map_arguments();
    machine_map();
    record_map();
    observe_map();
    fault_install();
    if (standalone)
        work();
    else
        do_jobs(rt.channel);
    return 0;
}
