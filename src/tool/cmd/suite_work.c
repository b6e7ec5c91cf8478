/* SPDX-License-Identifier: MIT
 *
 * Tests side by side: each is this tool again, in the folder of fencer.toml,
 * with a folder of its own for what it finds.  Its answers are read from the
 * files that it writes there, the same as anybody else would read them.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clean.h"
#include "cmd/suite.h"
#include "session/progress.h"
#include "worker/worker.h"

#define SAID_BYTES 8000
#define OWN_OPTIONS 6

struct running {
    pid_t pid; /* 0: none */
    size_t test;
    uint64_t since_ms;
};

struct work {
    struct suite *suite;
    const struct options *options;
    struct running *running;
    size_t jobs, each; /* processes; what each may start */
    size_t next, told;
    bool *over; /* by test */
};

static const char *path_in(const struct suite *s, const struct suite_test *t,
                           const char *file)
{
    return arena_printf(s->arena, "%s%s/%s", *t->out == '/' ? "" : s->folder,
                        t->out, file);
}

/* The command, our options, its own, its operands. */
static char **arguments_of(const struct work *w, const struct suite_test *t)
{
    struct arena *a = w->suite->arena;
    char **argv =
        arena_array(a, t->argument_count + OWN_OPTIONS + 1, sizeof(*argv));
    size_t n = 0;

    argv[n++] = arena_copy(a, "fencer");
    for (size_t i = 0; i < t->argument_count; i++) {
        argv[n++] = (char *)t->arguments[i];
        if (i)
            continue;
        argv[n++] = arena_copy(a, "--quiet");
        argv[n++] = arena_printf(a, "--out=%s", t->out);
        argv[n++] = arena_printf(a, "--json=%s/answer.json", t->out);
        argv[n++] = arena_printf(a, "--sarif=%s/answer.sarif", t->out);
        argv[n++] = arena_printf(a, "--jobs=%zu", w->each);
    }
    return argv;
}

/* In the new process.  It is interrupted by us alone, and dies with us. */
static void become_test(const struct suite *s, char **argv, int log)
{
    int none = open("/dev/null", O_RDONLY);

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (none < 0 || dup2(none, STDIN_FILENO) < 0 ||
        dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0 ||
        (*s->folder && chdir(s->folder) != 0))
        _exit(EXIT_UNFINISHED);
    execv("/proc/self/exe", argv);
    _exit(EXIT_UNFINISHED);
}

static bool start_test(struct work *w, struct running *r, struct err *e)
{
    struct suite *s = w->suite;
    struct suite_test *t = &s->list[w->next];
    const char *log;
    char **argv;
    int file;

    t->out = arena_printf(s->arena, "%s/suite/%s", w->options->out, t->name);
    argv = arguments_of(w, t);
    log = path_in(s, t, "log");
    if (!folder_make(path_in(s, t, "."), e))
        return false;
    unlink(path_in(s, t, "answer.json"));
    unlink(path_in(s, t, "answer.sarif"));
    file = open(log, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return err_set(e, "%s: %s", log, strerror(errno));
    *r = (struct running){
        .pid = fork(), .test = w->next, .since_ms = worker_now_ms()};
    if (r->pid == 0)
        become_test(s, argv, file);
    close(file);
    if (r->pid < 0) {
        r->pid = 0;
        return err_set(e, "no process could be started: %s", strerror(errno));
    }
    w->next++;
    return true;
}

/* Without its last newline. */
static const char *read_log(const struct suite *s, const struct suite_test *t)
{
    struct buf text = {0}, clean = {0};
    const char *copy;
    struct err e;

    buf_puts(&clean, "");
    if (buf_read_file(&text, path_in(s, t, "log"), SAID_BYTES, &e)) {
        while (text.count && text.bytes[text.count - 1] == '\n')
            text.count--;
        clean_put(&clean, text.bytes, text.count, CLEAN_LINES);
    }
    copy = arena_copy(s->arena, clean.bytes);
    buf_free(&text);
    buf_free(&clean);
    return copy;
}

static void finish_test(struct work *w, struct running *r, int status)
{
    struct suite *s = w->suite;
    struct suite_test *t = &s->list[r->test];

    t->ran = true;
    t->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    t->seconds = (double)(worker_now_ms() - r->since_ms) / 1000;
    t->answer = json_load_file(path_in(s, t, "answer.json"), 0, NULL);
    t->sarif = json_load_file(path_in(s, t, "answer.sarif"), 0, NULL);
    t->said = read_log(s, t);
    suite_judge(t, s->arena);
    w->over[r->test] = true;
    r->pid = 0;
}

/* Once: twice would end it without an answer. */
static void interrupt_all(struct work *w)
{
    static const struct suite *told;

    if (told == w->suite)
        return;
    told = w->suite;
    for (size_t i = 0; i < w->jobs; i++) {
        if (w->running[i].pid)
            kill(w->running[i].pid, SIGINT);
    }
}

/* False: nothing runs. */
static bool await_one(struct work *w)
{
    int status;
    pid_t pid;

    for (;;) {
        if (worker_interrupted())
            interrupt_all(w);
        pid = waitpid(-1, &status, 0);
        if (pid < 0 && errno != EINTR)
            return false;
        for (size_t i = 0; i < w->jobs && pid > 0; i++) {
            if (w->running[i].pid == pid) {
                finish_test(w, &w->running[i], status);
                return true;
            }
        }
    }
}

static void tell_progress(const struct work *w)
{
    size_t over = 0, failed = 0;

    for (size_t i = 0; i < w->suite->count; i++) {
        over += w->over[i];
        failed += w->over[i] && w->suite->list[i].why;
    }
    if (over == w->suite->count || !progress_begin("suite"))
        return;
    progress_put(": %zu of %zu tests", over, w->suite->count);
    if (failed)
        progress_put(", %zu failed", failed);
    for (size_t i = 0; i < w->jobs; i++) {
        if (w->running[i].pid)
            progress_put("%s %s", i ? "," : "; now",
                         w->suite->list[w->running[i].test].name);
    }
    progress_put_left((double)over / (double)w->suite->count);
    progress_flush();
}

static bool start_some(struct work *w, struct err *e)
{
    for (size_t i = 0; i < w->jobs; i++) {
        if (w->next == w->suite->count || worker_interrupted())
            return true;
        if (!w->running[i].pid && !start_test(w, &w->running[i], e))
            return false;
    }
    return true;
}

bool suite_run(struct suite *s, const struct options *o,
               void (*done)(const struct suite *s, struct suite_test *t,
                            void *arg),
               void *arg, struct err *e)
{
    struct work w = {.suite = s,
                     .options = o,
                     .jobs = o->jobs < s->count ? o->jobs : s->count};
    bool ok = true;

    w.each = w.jobs ? o->jobs / w.jobs : 1;
    w.running = arena_array(s->arena, w.jobs, sizeof(*w.running));
    w.over = arena_array(s->arena, s->count, sizeof(*w.over));
    worker_catch_interrupts();
    progress_init(o->quiet);
    fflush(stdout);
    do {
        ok = ok && start_some(&w, e);
        progress_end();
        for (; w.told < s->count && w.over[w.told]; w.told++)
            done(s, &s->list[w.told], arg);
        tell_progress(&w);
    } while (await_one(&w));
    progress_end();
    for (; w.told < s->count; w.told++) {
        if (!w.over[w.told])
            suite_judge(&s->list[w.told], s->arena);
        done(s, &s->list[w.told], arg);
    }
    worker_go_on();
    return ok;
}
