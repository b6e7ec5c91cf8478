/* SPDX-License-Identifier: MIT
 *
 * A tested program may fork past us and give the child a session of its own:
 * killing its group of processes does not end that.  So all our children live
 * in a namespace for process numbers.  The first process there, the keeper, is
 * ours and only waits: it ends with us, and the kernel ends all others with
 * it.  What has lost its parent becomes the keeper's child; our own children
 * stay ours, so the keeper's children are the strays.
 *
 * Where no such namespace is allowed, groups of processes must do.
 */
#include "worker/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"

#define ROUNDS 100 /* a program may start more than we can end */
/* Milliseconds to wait for the keeper: the memory of a large program takes
 * longer to be given back than a user likes to wait. */
#define PATIENCE 100

static pid_t keeper = -1; /* 0: there can be none */
static pid_t owner;       /* the tool, not a child of it */
static int outside = -1;  /* the namespace that we came from */

static bool write_text(const char *file, const char *text)
{
    int fd = open(file, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

    if (fd >= 0)
        close(fd);
    return ok;
}

/* Who may not make one may make one as another user; we stay the same to all
 * others. */
static bool enter_as_user(void)
{
    unsigned uid = geteuid(), gid = getegid();
    char uids[64], gids[64];

    snprintf(uids, sizeof(uids), "%u %u 1", uid, uid);
    snprintf(gids, sizeof(gids), "%u %u 1", gid, gid);
    return unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0 &&
           write_text("/proc/self/setgroups", "deny") &&
           write_text("/proc/self/uid_map", uids) &&
           write_text("/proc/self/gid_map", gids);
}

/* Writes to `ready` once it is sure to end with us: had we ended before, the
 * kernel would not tell it any more.  Waits for the strays: none stays a
 * zombie, and what they worked counts as the keeper's, then as ours. */
static _Noreturn void keep(int ready)
{
    sigset_t ended;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "fencer-keeper");
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_SETMASK, &ended, NULL);
    if (write(ready, "", 1) != 1)
        _exit(0);
    close_range(0, ~0u, 0);
    for (;;) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        sigwaitinfo(&ended, NULL);
    }
}

/* The kernel lets the keeper end only when nobody is left in its namespace: a
 * child of ours that nobody has waited for is still there. */
static void wait_for_keeper(void)
{
    pid_t ended = 0;

    kill(keeper, SIGKILL);
    for (int i = 0; ended != keeper && i < PATIENCE; i++) {
        do
            ended = waitpid(-1, NULL, WNOHANG);
        while (ended > 0 && ended != keeper);
        if (ended != keeper)
            usleep(1000);
    }
}

/* At the end of the tool its children are ordinary ones again: the leak check
 * of a sanitizer starts one that must see us. */
static void leave_namespace(void)
{
    if (getpid() != owner)
        return;
    setns(outside, CLONE_NEWPID);
    if (keeper > 0)
        wait_for_keeper();
}

static void start_keeper(void)
{
    int ready[2];
    char byte;

    if (pipe2(ready, O_CLOEXEC) != 0)
        return;
    keeper = fork();
    if (keeper == 0) {
        close(ready[0]);
        keep(ready[1]);
    }
    close(ready[1]);
    if (keeper < 0)
        keeper = 0;
    while (keeper && read(ready[0], &byte, 1) < 0 && errno == EINTR)
        ;
    close(ready[0]);
}

/* Tried by a child first: one that fails half-way cannot be left again. */
static bool may_enter_as_user(void)
{
    int status = -1;
    pid_t pid = fork();

    if (pid == 0)
        _exit(enter_as_user() ? 0 : 1);
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

void confine_children(void)
{
    if (keeper >= 0)
        return;
    keeper = 0;
    outside = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
    if (unshare(CLONE_NEWPID) != 0 &&
        !(may_enter_as_user() && enter_as_user())) {
        LOG(WORKER, "no namespace for the tested program");
        return;
    }
    owner = getpid();
    atexit(leave_namespace);
    start_keeper();
    LOG(WORKER, "%d: keeps all processes", (int)keeper);
}

/* Kills the keeper's children.  False: it has none. */
static bool kill_strays(void)
{
    char file[64], list[4096], *at = list, *end;
    ssize_t n = 0;
    int fd;

    snprintf(file, sizeof(file), "/proc/%d/task/%d/children", (int)keeper,
             (int)keeper);
    fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        n = read(fd, list, sizeof(list) - 1);
        close(fd);
    }
    list[n > 0 ? n : 0] = '\0';
    /* A number without a space after it may be half of one. */
    for (long pid; (pid = strtol(at, &end, 10)) > 1 && *end == ' '; at = end)
        kill((pid_t)pid, SIGKILL);
    return at > list;
}

void confine_end_strays(void)
{
    if (keeper <= 0)
        return;
    /* Each may have had children, which are the keeper's when it is gone. */
    for (int round = 0; round < ROUNDS && kill_strays(); round++)
        usleep(1000);
}
