/* SPDX-License-Identifier: MIT
 *
 * Processes share a counter, which says which piece is next.  A process that
 * ends before its time loses the piece it was at; the others take the rest.
 */
#include "cmd/litmus_work.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/point.h"
#include "session/progress.h"
#include "worker/worker.h"

struct record {
    uint64_t index, text, json; /* lengths of what follows */
    uint64_t code;
};

static void write_result(FILE *out, size_t i, uint8_t code,
                         const struct buf *text, const struct buf *json)
{
    struct record r = {i, text->count, json->count, code};

    fwrite(&r, sizeof(r), 1, out);
    fwrite(text->bytes ? text->bytes : "", 1, text->count, out);
    fwrite(json->bytes ? json->bytes : "", 1, json->count, out);
    fflush(out); /* what is done stays done */
}

/* Relaxed is enough: the counter is all they share, and each value of it goes
 * to one process. */
static void work(atomic_size_t *next, size_t count, work_one *one, void *arg,
                 FILE *out)
{
    struct buf text = {0}, json = {0};
    size_t i;

    while ((i = atomic_fetch_add_explicit(next, 1, memory_order_relaxed)) <
           count) {
        uint8_t code;

        buf_clear(&text);
        buf_clear(&json);
        code = one(arg, i, &text, &json);
        write_result(out, i, code, &text, &json);
    }
    buf_free(&text);
    buf_free(&json);
}

static char *read_text(FILE *in, uint64_t n, struct arena *a)
{
    char *text = arena_alloc(a, n + 1);

    return fread(text, 1, n, in) == n ? text : NULL;
}

/* A record that is cut off belongs to a process that ended: it counts not. */
static void read_results(FILE *in, size_t count, struct work_result *results,
                         struct arena *a)
{
    struct record r;

    rewind(in);
    while (fread(&r, sizeof(r), 1, in) == 1 && r.index < count) {
        const char *text = read_text(in, r.text, a);
        const char *json = text ? read_text(in, r.json, a) : NULL;

        if (json)
            results[r.index] =
                (struct work_result){true, (uint8_t)r.code, text, json};
    }
}

#define JOBS_MAX 256
#define LOOK_US 20000 /* between two looks, after the first ones */

static bool start(FILE *files[], pid_t pids[], size_t i, atomic_size_t *next,
                  size_t count, work_one *one, void *arg)
{
    files[i] = tmpfile();
    if (!files[i])
        return false;
    pids[i] = fork();
    if (pids[i] == 0) {
        signal(SIGINT, SIG_IGN); /* we end it */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        work(next, count, one, arg, files[i]);
        _exit(0);
    }
    return pids[i] > 0;
}

/* What is under way now is lost; what is done is in the files. */
static void stop_all(const pid_t pids[], size_t n, atomic_size_t *next,
                     size_t count)
{
    atomic_store_explicit(next, count, memory_order_relaxed);
    for (size_t i = 0; i < n; i++)
        kill(pids[i], SIGKILL);
}

static void tell_progress(size_t begun, size_t count)
{
    if (begun > count || !progress_begin("litmus"))
        return;
    progress_put(": %zu of %zu tests", begun, count);
    progress_put_rate(begun);
    progress_put_left((double)begun / (double)count);
    progress_flush();
}

/* Looks again and again, so that no interrupt is missed. */
static void wait_for_all(const pid_t pids[], size_t n, atomic_size_t *next,
                         size_t count)
{
    unsigned pause_us = LOOK_US / 20;

    for (size_t i = 0; i < n;) {
        pid_t ended;

        if (worker_interrupted())
            stop_all(pids + i, n - i, next, count);
        ended = waitpid(pids[i], NULL, WNOHANG);
        if (ended == pids[i] || (ended < 0 && errno != EINTR)) {
            i++;
            continue;
        }
        tell_progress(atomic_load_explicit(next, memory_order_relaxed), count);
        usleep(pause_us);
        if (pause_us < LOOK_US)
            pause_us *= 2;
    }
    progress_end();
}

bool litmus_work(size_t count, size_t jobs, work_one *one, void *arg,
                 struct work_result *results, struct arena *a, struct err *e)
{
    atomic_size_t *next = mmap(NULL, sizeof(*next), PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    FILE *files[JOBS_MAX] = {NULL};
    pid_t pids[JOBS_MAX];
    size_t started = 0;

    if (next == MAP_FAILED)
        return err_set(e, "no memory: %s", strerror(errno));
    jobs = jobs > JOBS_MAX ? JOBS_MAX : jobs > count ? count : jobs;
    fflush(stdout);
    while (started < jobs && start(files, pids, started, next, count, one, arg))
        started++;
    point_reached("litmus.started");
    wait_for_all(pids, started, next, count);
    for (size_t i = 0; i < jobs; i++) {
        if (i < started)
            read_results(files[i], count, results, a);
        if (files[i])
            fclose(files[i]);
    }
    munmap(next, sizeof(*next));
    return started > 0 || count == 0 ||
           err_set(e, "no process could be started: %s", strerror(errno));
}
