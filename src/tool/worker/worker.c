/* SPDX-License-Identifier: MIT
 *
 * Starts the tested program so that nothing outside decides what it does: no
 * address randomisation, the channel always on the same descriptor, stdin from
 * its beginning.  Then watches it.  The program may crash, hang, write over
 * the channel or kill itself; whatever it does is a result, never our end.
 */
#include "worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/point.h"
#include "worker/confine.h"
#include "worker/input.h"
#include "worker/worked.h"

/* High enough that no program expects it to be free, below every limit. */
#define CHANNEL_FD 198
#define CHANNEL_FD_TEXT "198"
#define DONE_FD 199
#define TREE_FD 197

/* Between two looks at the progress. */
#define LOOK_MS 100

/* What a program writes past us is kept up to here, then forgotten. */
#define PAST_US_MAX (16 << 20)

static volatile sig_atomic_t interrupted;

/* Twice is meant: it ends us at once.  What is in the store stays, and no child
 * outlives us. */
static void on_interrupt(int number)
{
    static volatile sig_atomic_t before;

    if (before)
        signal(number, SIG_DFL);
    if (before)
        raise(number);
    before = interrupted = 1;
}

void worker_catch_interrupts(void)
{
    struct sigaction act = {.sa_handler = on_interrupt};

    sigemptyset(&act.sa_mask);
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    sigaction(SIGHUP, &act, NULL);
}

void worker_go_on(void)
{
    interrupted = 0;
}

bool worker_interrupted(void)
{
    return interrupted != 0;
}

uint64_t worker_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

bool worker_time_is_up(uint64_t until_ms)
{
    return until_ms && (point_time_came() || worker_now_ms() >= until_ms);
}

/* Decisions to replay, or an execution to bring about. */
static void fill_schedule(struct channel *c, const struct job *j)
{
    char *at = (char *)c + CHANNEL_SCHEDULE_AT;

    CHECK(j->schedule_count <= CHANNEL_SCHEDULE_MAX);
    CHECK(j->witness_count <= CHANNEL_STEPS_MAX);
    c->schedule_count = j->schedule_count;
    if (j->schedule_count)
        memcpy(at, j->schedule, j->schedule_count * sizeof(*j->schedule));
    c->witness_count = j->witness_count;
    if (j->witness_count)
        memcpy((char *)c + CHANNEL_STEPS_AT, j->witness,
               j->witness_count * sizeof(*j->witness));
}

/* What a test may observe. */
static void fill_spec(struct channel *c, const struct job *j)
{
    char *at = (char *)c + CHANNEL_SPEC_AT;

    c->spec = SPEC_NONE;
    if (j->allowed) {
        CHECK(j->allowed_count <= CHANNEL_OUTCOMES_MAX);
        c->spec = SPEC_ALLOWED;
        c->spec_count = (uint32_t)j->allowed_count;
        memcpy(at, j->allowed, j->allowed_count * sizeof(*j->allowed));
    } else if (j->forbidden) {
        c->spec = SPEC_FORBIDDEN;
        strcpy(at, j->forbidden);
    }
}

static void fill_explore(struct channel *c, const struct job *j)
{
    if (!j->explore)
        return;
    c->explore = *j->explore;
    if (c->explore.tree_fd >= 0)
        c->explore.tree_fd = TREE_FD;
}

static void fill_channel(struct channel *c, const struct job *j)
{
    c->magic = CHANNEL_MAGIC;
    c->size = sizeof(*c);
    snprintf(c->model, sizeof(c->model), "%s", j->model);
    c->strategy = j->strategy;
    c->flags = j->flags;
    c->seed = j->seed;
    c->first = j->first;
    c->count = j->count;
    c->buffer = j->buffer;
    c->max_events = j->max_events;
    c->pct_depth = j->depth;
    c->done_fd = DONE_FD;
    if (j->stay)
        c->flags |= CHANNEL_STAY;
    CHECK(j->fence_count <= CHANNEL_FENCES_MAX);
    c->fence_count = (uint32_t)j->fence_count;
    if (j->fence_count)
        memcpy(c->fences, j->fences, j->fence_count * sizeof(*j->fences));
    if (j->goal)
        c->goal = *j->goal;
    fill_explore(c, j);
    c->graph = j->graph ? *j->graph : (struct channel_graph){0};
    if (c->graph.state_size)
        memcpy((char *)c + CHANNEL_SEARCH_AT, j->state, c->graph.state_size);
    fill_schedule(c, j);
    fill_spec(c, j);
}

bool worker_channel(struct worker *w, const struct job *j, struct err *e)
{
    *w = (struct worker){
        .job = *j, .pid = -1, .pidfd = -1, .output = -1, .done = -1};
    w->memory = memfd_create("fencer-channel", MFD_CLOEXEC);
    if (w->memory < 0)
        return err_set(e, "no shared memory: %s", strerror(errno));

    void *raw = MAP_FAILED;

    if (ftruncate(w->memory, (off_t)CHANNEL_SIZE) == 0)
        raw = mmap(NULL, CHANNEL_SIZE, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_NORESERVE, w->memory, 0);
    if (raw == MAP_FAILED) {
        err_set(e, "no shared memory: %s", strerror(errno));
        close(w->memory);
        return false;
    }
    w->channel = raw;
    fill_channel(w->channel, j);
    return true;
}

bool worker_hand_over(const struct worker *w, struct err *e)
{
    if (dup2(w->memory, CHANNEL_FD) < 0 ||
        setenv(CHANNEL_ENV, CHANNEL_FD_TEXT, 1) != 0)
        return err_set(e, "no channel: %s", strerror(errno));
    return true;
}

static void reset_signals(void)
{
    sigset_t none;

    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* In the child, which has the parent's memory and must not change it.  Never
 * returns. */
static _Noreturn void become(const struct worker *w, char **argv, char **envp,
                             pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent && getppid() != 0) /* 0: not in our namespace */
        _exit(127);
    reset_signals();
    personality((unsigned long)personality(0xffffffff) | ADDR_NO_RANDOMIZE);
    input_give();
    dup2(w->output, STDOUT_FILENO);
    dup2(w->output, STDERR_FILENO);
    if (w->done >= 0)
        dup2(w->done, DONE_FD);
    if (w->job.explore && w->job.explore->tree_fd >= 0)
        dup2(w->job.explore->tree_fd, TREE_FD);
    if (dup2(w->memory, CHANNEL_FD) >= 0)
        execve(w->job.program, argv, envp);
    dprintf(STDERR_FILENO, "cannot start it: %s\n", strerror(errno));
    _exit(127);
}

static char **make_argv(const struct job *j)
{
    size_t n = 0;

    while (j->arguments && j->arguments[n])
        n++;

    char **argv = calloc(n + 2, sizeof(*argv));

    CHECK(argv != NULL);
    argv[0] = (char *)(uintptr_t)j->name;
    for (size_t i = 0; i < n; i++)
        argv[i + 1] = j->arguments[i];
    return argv;
}

/* Our environment, with the channel. */
static char **make_envp(void)
{
    static char channel[] = CHANNEL_ENV "=" CHANNEL_FD_TEXT;
    size_t n = 0, kept = 0;

    while (environ[n])
        n++;

    char **envp = calloc(n + 2, sizeof(*envp));

    CHECK(envp != NULL);
    for (size_t i = 0; i < n; i++) {
        if (strncmp(environ[i], CHANNEL_ENV "=", sizeof(CHANNEL_ENV)) != 0)
            envp[kept++] = environ[i];
    }
    envp[kept] = channel;
    return envp;
}

/* vfork: a search starts hundreds of programs, and copying the page tables of
 * a tool with LLVM in it took longer than their executions.  A function of its
 * own, so that nothing of the caller's is in registers when it returns twice.
 */
static __attribute__((noinline)) pid_t spawn(const struct worker *w,
                                             char **argv, char **envp)
{
    pid_t parent = getpid(), pid = vfork();

    if (pid == 0)
        become(w, argv, envp, parent);
    return pid;
}

static uint64_t processor_ms(const struct worker *w)
{
    return w->pid < 0 || w->gone ? w->ended_ms : worked_ms(w->pid);
}

uint64_t worker_worked_ms(const struct worker *w)
{
    uint64_t now = processor_ms(w);

    return now > w->worked_ms ? now - w->worked_ms : 0;
}

static void begin_watch(struct worker *w)
{
    w->worked_ms = processor_ms(w);
    memset(w->seen, 0, sizeof(w->seen));
    w->looked_at = worker_now_ms();
    w->idle_ms = 0;
}

static bool launch(struct worker *w, struct err *e)
{
    char **argv = make_argv(&w->job), **envp = make_envp();

    w->pid = spawn(w, argv, envp);
    free(argv);
    free(envp);
    if (w->pid < 0)
        return err_set(e, "no process: %s", strerror(errno));
    setpgid(w->pid, w->pid);
    w->pidfd = pidfd_open(w->pid, 0);
    if (w->pidfd < 0) {
        err_set(e, "no process: %s", strerror(errno));
        worker_stop(w);
        return false;
    }
    begin_watch(w);
    LOG(WORKER, "%d: executions %llu to %llu on %s", (int)w->pid,
        (unsigned long long)w->job.first,
        (unsigned long long)(w->job.first + w->job.count - 1), w->job.model);
    return true;
}

bool worker_start(struct worker *w, const struct job *j, struct err *e)
{
    confine_children();
    if (!input_keep(e) || !worker_channel(w, j, e))
        return false;
    w->output = memfd_create("fencer-output", MFD_CLOEXEC);
    if (w->output >= 0)
        fcntl(w->output, F_SETFL, O_APPEND);
    if (j->stay)
        w->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (w->output < 0 || !launch(w, e)) {
        if (w->output < 0)
            err_set(e, "no shared memory: %s", strerror(errno));
        worker_free(w);
        return false;
    }
    point_reached("worker.started");
    return true;
}

/* The runtime found a mistake of its own (event/must.h).  What it told us until
 * then may be wrong too. */
static _Noreturn void broken(const struct worker *w)
{
    struct buf why = {0};

    worker_complaint(w, &why);
    fprintf(stderr,
            "fencer: internal error: %s does not hold\n"
            "Please report it with the program, unless that writes over memory "
            "that is not its own.\n",
            why.bytes);
    exit(3);
}

static enum worker_end how_it_ended(const struct worker *w)
{
    switch (w->channel->state) {
    case STATE_DONE:
        return WORKER_DONE;
    case STATE_RUNNING:
        return WORKER_DIED;
    case STATE_BROKEN:
        broken(w);
    default:
        return WORKER_BAD;
    }
}

/* Takes the end of a process that has ended; false if it has not. */
static bool reap(struct worker *w, int options)
{
    uint64_t worked = processor_ms(w);
    pid_t got;

    do
        got = waitpid(w->pid, &w->status, options);
    while (got < 0 && errno == EINTR);
    if (got == 0)
        return false;
    w->gone = true;
    w->ended_ms = worked;
    kill(-w->pid, SIGKILL); /* what it left behind */
    confine_end_strays();
    LOG(WORKER, "%d: ended, status %#x, state %u, %llu done", (int)w->pid,
        (unsigned)w->status, w->channel->state,
        (unsigned long long)w->channel->done);
    return true;
}

bool worker_again(struct worker *w, const struct job *j)
{
    struct channel *c = w->channel;
    uint32_t number = c->job;

    if (w->end != WORKER_DONE || w->done < 0 || w->gone || reap(w, WNOHANG))
        return false;
    w->job = *j;
    /* All but the number that it waits for. */
    memset(c, 0, offsetof(struct channel, job));
    memset(&c->done_fd, 0, sizeof(*c) - offsetof(struct channel, done_fd));
    fill_channel(c, j);
    if (ftruncate(w->output, 0) != 0)
        return false;
    w->end = WORKER_RUNS;
    begin_watch(w);
    /* Pairs with the acquire in the runtime's wait_for_job. */
    __atomic_store_n(&c->job, number + 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &c->job, FUTEX_WAKE, 1, NULL, NULL, 0);
    return true;
}

/* Its job has ended so; from now on the channel is read. */
static void note_end(struct worker *w, enum worker_end end)
{
    w->end = end;
    worker_bound_channel(w);
}

static void end_with(struct worker *w, enum worker_end end)
{
    if (w->gone || w->pid < 0)
        return;
    kill(-w->pid, SIGKILL);
    kill(w->pid, SIGKILL);
    reap(w, 0);
    if (w->end != WORKER_RUNS)
        return;
    /* It may have come to its end just before. */
    note_end(w, w->channel->state == STATE_DONE ? WORKER_DONE : end);
}

void worker_pause(struct worker *w)
{
    __atomic_store_n(&w->channel->count, 0, __ATOMIC_RELAXED);
}

void worker_stop(struct worker *w)
{
    if (w->end == WORKER_RUNS)
        end_with(w, WORKER_STOPPED);
}

static void look(struct worker *w, uint64_t now)
{
    volatile const struct channel *c = w->channel;
    uint64_t seen[3] = {c->run, c->done, c->events};
    uint64_t gap = now - w->looked_at;
    uint64_t patience =
        w->job.patience_ms ? w->job.patience_ms : WORKER_PATIENCE_MS;
    struct stat st;

    w->looked_at = now;
    w->idle_ms += gap < 2 * LOOK_MS ? gap : LOOK_MS;
    if (memcmp(seen, w->seen, sizeof(seen)) != 0) {
        memcpy(w->seen, seen, sizeof(seen));
        w->idle_ms = 0;
    } else if (w->idle_ms >= patience) {
        LOG(WORKER, "%d: no progress for %llu ms", (int)w->pid,
            (unsigned long long)patience);
        end_with(w, c->state == STATE_RUNNING ? WORKER_HUNG : WORKER_BAD);
    }
    if (fstat(w->output, &st) == 0 && st.st_size > PAST_US_MAX &&
        ftruncate(w->output, 0) != 0)
        LOG(WORKER, "%d: output cannot be cut", (int)w->pid);
}

/* Has a worker that stays finished its job? */
static bool is_done(const struct worker *w)
{
    uint64_t count;

    return w->done >= 0 &&
           read(w->done, &count, sizeof(count)) == sizeof(count) &&
           w->channel->state == STATE_DONE;
}

/* One look at each; true if some have ended. */
static bool look_at_all(struct worker *const *workers, size_t n)
{
    uint64_t now = worker_now_ms();
    bool some = false;

    for (size_t i = 0; i < n; i++) {
        struct worker *w = workers[i];

        if (w->end != WORKER_RUNS)
            continue;
        if (reap(w, WNOHANG))
            note_end(w, how_it_ended(w));
        else if (is_done(w))
            note_end(w, WORKER_DONE);
        else
            look(w, now);
        if (w->end != WORKER_RUNS) {
            some = true;
            point_reached("worker.ended");
        }
    }
    return some;
}

bool worker_wait(struct worker *const *workers, size_t n, uint64_t until_ms)
{
    struct pollfd fds[512];

    CHECK(n <= sizeof(fds) / sizeof(fds[0]) / 2);
    while (!interrupted && !look_at_all(workers, n)) {
        uint64_t now = worker_now_ms();
        uint64_t wait = LOOK_MS;
        nfds_t count = 0;

        if (worker_time_is_up(until_ms))
            return false;
        if (until_ms && until_ms > now && until_ms - now < wait)
            wait = until_ms - now;
        for (size_t i = 0; i < n; i++) {
            if (workers[i]->end != WORKER_RUNS)
                continue;
            fds[count++] = (struct pollfd){workers[i]->pidfd, POLLIN, 0};
            if (workers[i]->done >= 0)
                fds[count++] = (struct pollfd){workers[i]->done, POLLIN, 0};
        }
        if (count == 0)
            return false;
        poll(fds, count, (int)wait);
    }
    return !interrupted;
}

bool worker_run(struct worker *w, const struct job *j, uint64_t until_ms,
                struct err *e)
{
    if (!worker_start(w, j, e))
        return false;
    while (w->end == WORKER_RUNS && worker_wait(&w, 1, until_ms))
        ;
    worker_stop(w);
    return true;
}

void worker_free(struct worker *w)
{
    end_with(w, WORKER_STOPPED);
    if (w->done >= 0)
        close(w->done);
    if (w->channel)
        munmap(w->channel, CHANNEL_SIZE);
    if (w->pidfd >= 0)
        close(w->pidfd);
    if (w->output >= 0)
        close(w->output);
    if (w->memory >= 0)
        close(w->memory);
    *w = (struct worker){.end = WORKER_STOPPED,
                         .pid = -1,
                         .pidfd = -1,
                         .memory = -1,
                         .output = -1};
}
