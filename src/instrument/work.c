/* SPDX-License-Identifier: MIT
 *
 * Temporary files and child processes.
 *
 * A signal that ends the tool must not leave files behind.  The handler only
 * calls what POSIX allows in one: kill, unlink, rmdir, raise.
 */
#include "instrument/work.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"

extern char **environ;

static struct work *volatile active; /* whose files the handler removes */
static volatile pid_t child;

static const int deadly[] = {SIGINT,  SIGTERM, SIGHUP,
                             SIGQUIT, SIGABRT, SIGPIPE};

#define DEADLY_COUNT (sizeof(deadly) / sizeof(deadly[0]))

static void remove_files(const struct work *w)
{
    for (size_t i = 0; i < w->files.count; i++)
        unlink(w->files.list[i]);
    rmdir(w->scratch.folder);
}

static void clean_up(int signal_number)
{
    struct work *w = active;

    active = NULL;
    if (child > 0)
        kill(child, SIGTERM);
    if (w)
        remove_files(w);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* LLVM's fatal errors call exit. */
static void clean_at_exit(void)
{
    struct work *w = active;

    active = NULL;
    if (w)
        remove_files(w);
}

static void watch_signals(bool on)
{
    static bool registered;

    if (!registered) {
        atexit(clean_at_exit);
        registered = true;
    }
    for (size_t i = 0; i < DEADLY_COUNT; i++) {
        struct sigaction now = {.sa_handler = on ? clean_up : SIG_DFL}, old;

        /* nohup and shells in the background ignore some: let them. */
        if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(deadly[i], &now, NULL);
    }
}

bool work_begin(struct work *w, struct err *e)
{
    const char *base = getenv("TMPDIR");

    memset(w, 0, sizeof(*w));
    if (!base || !*base || strlen(base) > SCRATCH_PATH_MAX / 2)
        base = "/tmp";
    if (!scratch_make(base, &w->scratch, e))
        return false;
    active = w;
    watch_signals(true);
    return true;
}

void work_end(struct work *w)
{
    if (!*w->scratch.folder)
        return;
    active = NULL;
    scratch_remove(&w->scratch);
    watch_signals(false);
    strs_free(&w->files);
}

const char *work_file(struct work *w, const char *ending)
{
    strs_addf(&w->files, "%s/%zu%s", w->scratch.folder, w->files.count, ending);
    return w->files.list[w->files.count - 1];
}

static void log_command(const struct strs *command)
{
    struct buf line = {0};

    for (size_t i = 0; i < command->count; i++)
        buf_printf(&line, " %s", command->list[i]);
    LOG(CC, "runs%s", line.bytes);
    buf_free(&line);
}

int work_run(const struct strs *command, const char *out, const char *err,
             struct err *e)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status, error;

    log_command(command);
    fflush(NULL);
    posix_spawn_file_actions_init(&actions);
    if (out)
        posix_spawn_file_actions_addopen(&actions, 1, out,
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (err)
        posix_spawn_file_actions_addopen(&actions, 2, err,
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
    error = posix_spawnp(&pid, command->list[0], &actions, NULL, command->list,
                         environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) {
        err_set(e, "cannot run %s: %s", command->list[0], strerror(error));
        return -1;
    }
    child = pid;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    child = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* What failed to be written is removed by then: a little may be free. */
#define SPACE_MIN (1 << 20)

/* Where that file or folder is. */
static bool is_full(const char *path, struct err *e)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX] = ".";
    struct statvfs s;

    if (slash)
        snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path + 1), path);
    if (statvfs(folder, &s) != 0 || s.f_bavail >= SPACE_MIN / s.f_bsize)
        return false;
    err_set(e, "no space left in %s", folder);
    return true;
}

bool work_is_full(const struct work *w, const char *output, struct err *e)
{
    return (*w->scratch.folder && is_full(w->scratch.folder, e)) ||
           is_full(output ? output : "", e);
}
