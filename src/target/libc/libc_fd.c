/* SPDX-License-Identifier: MIT
 *
 * Calls on descriptors that can wait in the kernel, where one waiting fiber
 * would stop them all.  Each asks poll first.  While the descriptor is not
 * ready the thread waits for the world to change: for another thread to do
 * something to a descriptor, as to write to the other end of the pipe.  When
 * nobody can run, nothing inside the program can end the wait, and the call is
 * refused by name.
 */
#include "libc/libc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "event/must.h"
#include "runtime/driver.h"
#include "runtime/happened.h"
#include "runtime/native.h"

/* What is behind descriptors: who waits for it has this for its object. */
static uint64_t world;

void libc_change_world(void)
{
    rt_wake_all(&world);
}

bool libc_wait_world(const char *name, bool timed)
{
    /* A graph has no such object; without the tool others may change it. */
    if (native_is_on() || driver_is_standalone()) {
        if (timed && rt_choose(2))
            return false;
        rt_yield();
        return true;
    }
    if (!rt_block(EV_YIELD, &world, timed, name))
        return false;
    rt_drain_and_cut(); /* the call returns after what it waited for */
    return true;
}

/* To the monitors what is behind descriptors is one word, which every call
 * changes. */
static void note_world(uint32_t site)
{
    if (native_is_on())
        return;
    happened_object(EV_POST, &world, sizeof world, 1, 1, 0, site);
    HAPPENED(.kind = EV_FENCE, .bits = FENCE_FULL, .order = ORDER_SEQ_CST,
             .site = site);
}

void libc_refuse_stuck(void)
{
    for (uint32_t i = 0; i < rt.thread_count; i++) {
        const struct thread *t = &rt.threads[i];

        if (t->state == THREAD_BLOCKED && t->blocked_on == &world)
            libc_refuse_block(t->blocked_words, t->site);
    }
}

static bool is_ready(int fd, short events)
{
    struct pollfd p = {.fd = fd, .events = events};

    /* A bad descriptor is the real call's to report. */
    return poll(&p, 1, 0) != 0;
}

static bool never_waits(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    return flags < 0 || flags & O_NONBLOCK;
}

/* Files whose contents no replay finds again: devices, but for those that are
 * always empty or zero, and what the kernel makes up while it is read. */
static bool is_nondeterministic(int fd)
{
    struct stat st;
    struct statfs fs;
    unsigned minor_of;

    if (fstat(fd, &st) != 0)
        return false;
    minor_of = minor(st.st_rdev);
    if (S_ISCHR(st.st_mode))
        return major(st.st_rdev) != 1 ||
               (minor_of != 3 && minor_of != 5 && minor_of != 7);
    return S_ISREG(st.st_mode) && fstatfs(fd, &fs) == 0 &&
           (fs.f_type == PROC_SUPER_MAGIC || fs.f_type == SYSFS_MAGIC);
}

/* Its name, without the number of this process. */
static void note_nondeterministic(int fd, const char *name, uint32_t site)
{
    char link[32] = "/proc/self/fd/", path[136] = "";
    size_t digits;

    if (!is_nondeterministic(fd))
        return;
    snprintf(link + strlen(link), 12, "%d", fd);
    if (readlink(link, path, 127) < 0)
        strcpy(path, "a device");
    digits = strncmp(path, "/proc/", 6) ? 0 : strspn(path + 6, "0123456789");
    if (digits) {
        memmove(path + 10, path + 6 + digits, strlen(path + 6 + digits) + 1);
        memcpy(path + 6, "self", 4);
    }
    rt_nondeterministic(name, path, site);
}

void libc_wait_fd(int fd, short events, const char *name, uint32_t site)
{
    if (events & POLLIN)
        note_nondeterministic(fd, name, site);
    if (never_waits(fd))
        return;
    while (!is_ready(fd, events)) {
        if (!libc_others_can_run()) {
            if (driver_is_standalone())
                return; /* then wait for the world */
            libc_refuse_block(name, site);
        }
        libc_wait_world(name, false);
    }
    note_world(site);
    libc_change_world(); /* now, with what the call does */
}

/* ---- Reading ---- */

/* What one execution reads from a pipe would not be there for the next. */
static bool is_spent_by_reading(int fd)
{
    struct stat s;

    return fd == STDIN_FILENO && !driver_is_standalone() &&
           fstat(fd, &s) == 0 && (S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode));
}

void libc_rewind_stdin(const char *name, uint32_t site)
{
    if (is_spent_by_reading(STDIN_FILENO))
        rt_fail(FAIL_UNSUPPORTED, site,
                "%s() from a pipe, which only one execution could read: give "
                "it as a file (<file)",
                name);
    lseek(STDIN_FILENO, 0, SEEK_SET);
}

MODEL(ssize_t, read, (int fd, void *to, size_t count))
{
    uint32_t site = libc_enter_state("read");
    ssize_t n;

    libc_wait_fd(fd, POLLIN, "read", site);
    n = read(fd, to, count);
    if (n > 0)
        libc_wrote(to, (size_t)n, site);
    return n;
}

HIDDEN(ssize_t, __read_chk, (int fd, void *to, size_t count, size_t size))
{
    if (count > size)
        rt_fail(FAIL_OUT_OF_BOUNDS, rt_take_site(),
                "buffer overflow: read of %l bytes into an object of %l",
                (long long)count, (long long)size);
    return __fencer_read(fd, to, count);
}

static void wrote_pieces(const struct iovec *to, size_t count, ssize_t left,
                         uint32_t site)
{
    for (size_t i = 0; i < count && left > 0; i++) {
        size_t n = to[i].iov_len;

        if (n > (size_t)left)
            n = (size_t)left;
        libc_wrote(to[i].iov_base, n, site);
        left -= (ssize_t)n;
    }
}

MODEL(ssize_t, readv, (int fd, const struct iovec *to, int count))
{
    uint32_t site = libc_enter_state("readv");
    ssize_t n;

    libc_wait_fd(fd, POLLIN, "readv", site);
    n = readv(fd, to, count);
    wrote_pieces(to, (size_t)count, n, site);
    return n;
}

static ssize_t receive(int fd, void *to, size_t count, int flags,
                       __SOCKADDR_ARG from, socklen_t *length, const char *name)
{
    uint32_t site = libc_enter_state(name);
    ssize_t n;

    if (!(flags & MSG_DONTWAIT))
        libc_wait_fd(fd, POLLIN, name, site);
    n = recvfrom(fd, to, count, flags, from, length);
    if (n > 0)
        libc_wrote(to, (size_t)n < count ? (size_t)n : count, site);
    return n;
}

MODEL_IS(ssize_t, recv, (int fd, void *to, size_t count, int flags),
         receive(fd, to, count, flags, (__SOCKADDR_ARG){NULL}, NULL, "recv"))
MODEL_IS(ssize_t, recvfrom,
         (int fd, void *to, size_t count, int flags, __SOCKADDR_ARG from,
          socklen_t *length),
         receive(fd, to, count, flags, from, length, "recvfrom"))
HIDDEN_IS(ssize_t, __recv_chk,
          (int fd, void *to, size_t count, size_t size, int flags),
          receive(fd, to, count, flags, (__SOCKADDR_ARG){NULL}, NULL, "recv"))
HIDDEN_IS(ssize_t, __recvfrom_chk,
          (int fd, void *to, size_t count, size_t size, int flags,
           __SOCKADDR_ARG from, socklen_t *length),
          receive(fd, to, count, flags, from, length, "recvfrom"))

MODEL(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags))
{
    uint32_t site = libc_enter_state("recvmsg");
    ssize_t n;

    if (!(flags & MSG_DONTWAIT))
        libc_wait_fd(fd, POLLIN, "recvmsg", site);
    n = recvmsg(fd, message, flags);
    wrote_pieces(message->msg_iov, message->msg_iovlen, n, site);
    return n;
}

static int take_connection(int fd, __SOCKADDR_ARG from, socklen_t *length,
                           int flags, const char *name)
{
    uint32_t site = libc_enter_state(name);

    libc_wait_fd(fd, POLLIN, name, site);
    return accept4(fd, from, length, flags);
}

MODEL_IS(int, accept, (int fd, __SOCKADDR_ARG from, socklen_t *length),
         take_connection(fd, from, length, 0, "accept"))
MODEL_IS(int, accept4,
         (int fd, __SOCKADDR_ARG from, socklen_t *length, int flags),
         take_connection(fd, from, length, flags, "accept4"))
MODEL_IS(int, eventfd_read, (int fd, eventfd_t *value),
         __fencer_read(fd, value, sizeof *value) == sizeof *value ? 0 : -1)

/* ---- Writing ---- */

/* A pipe that polls as writable takes PIPE_BUF bytes for sure, so a longer
 * write goes in such pieces and gives way between them. */
static ssize_t write_pieces(int fd, const char *from, size_t count,
                            const char *name, uint32_t site)
{
    size_t done = 0;

    if (never_waits(fd))
        return write(fd, from, count);
    do {
        size_t piece = count - done < PIPE_BUF ? count - done : PIPE_BUF;
        ssize_t n;

        libc_wait_fd(fd, POLLOUT, name, site);
        n = write(fd, from + done, piece);
        if (n < 0)
            return done ? (ssize_t)done : -1;
        MUST((size_t)n <= piece);
        done += (size_t)n;
        if ((size_t)n < piece)
            break;
    } while (done < count);
    return (ssize_t)done;
}

/* Captured: in pieces, as loads of the running thread. */
static void put_output(const char *from, size_t count, uint32_t site)
{
    char piece[256];

    for (size_t done = 0, n; done < count; done += n) {
        n = count - done < sizeof piece ? count - done : sizeof piece;
        libc_in(piece, from + done, n, site);
        rt_output(piece, n);
    }
}

static ssize_t put(int fd, const void *from, size_t count, const char *name,
                   uint32_t site)
{
    if (libc_captures_fd(fd)) {
        put_output(from, count, site);
        return (ssize_t)count;
    }
    libc_reads(from, count, site);
    libc_needs_process(name);
    return write_pieces(fd, from, count, name, site);
}

/* Output that is captured touches no more than what it takes. */
static uint32_t enter_put(int fd)
{
    return libc_captures_fd(fd) ? libc_enter() : libc_enter_draining();
}

MODEL_IS(ssize_t, write, (int fd, const void *from, size_t count),
         put(fd, from, count, "write", enter_put(fd)))
MODEL_IS(int, eventfd_write, (int fd, eventfd_t value),
         __fencer_write(fd, &value, sizeof value) == sizeof value ? 0 : -1)

MODEL(ssize_t, writev, (int fd, const struct iovec *from, int count))
{
    uint32_t site = enter_put(fd);
    ssize_t done = 0;

    for (int i = 0; i < count; i++) {
        struct iovec piece;
        ssize_t n;

        libc_in(&piece, &from[i], sizeof piece, site);
        n = put(fd, piece.iov_base, piece.iov_len, "writev", site);
        if (n < 0)
            return done ? done : -1;
        done += n;
        if ((size_t)n < piece.iov_len)
            break;
    }
    return done;
}

/* Sockets tell when they are full, so they are asked not to wait. */
static ssize_t send_all(int fd, const char *from, size_t count, int flags,
                        __CONST_SOCKADDR_ARG to, socklen_t length,
                        const char *name)
{
    uint32_t site = libc_enter_state(name);
    bool waits = !(flags & MSG_DONTWAIT) && !never_waits(fd);
    size_t done = 0;

    libc_reads(from, count, site);
    do {
        ssize_t n;

        if (waits)
            libc_wait_fd(fd, POLLOUT, name, site);
        n = sendto(fd, from + done, count - done, flags | MSG_DONTWAIT, to,
                   length);
        if (n < 0)
            return done ? (ssize_t)done : -1;
        done += (size_t)n;
        MUST(done <= count);
    } while (waits && done < count);
    return (ssize_t)done;
}

MODEL_IS(
    ssize_t, send, (int fd, const void *from, size_t count, int flags),
    send_all(fd, from, count, flags, (__CONST_SOCKADDR_ARG){NULL}, 0, "send"))
MODEL_IS(ssize_t, sendto,
         (int fd, const void *from, size_t count, int flags,
          __CONST_SOCKADDR_ARG to, socklen_t length),
         send_all(fd, from, count, flags, to, length, "sendto"))

MODEL(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags))
{
    uint32_t site = libc_enter_state("sendmsg");

    if (!(flags & MSG_DONTWAIT))
        libc_wait_fd(fd, POLLOUT, "sendmsg", site);
    return sendmsg(fd, message, flags);
}

/* ---- Descriptors themselves ---- */

MODEL(int, close, (int fd))
{
    libc_enter_state("close");
    libc_release_fd(fd);
    return close(fd);
}

MODEL(int, dup2, (int from, int to))
{
    libc_enter_state("dup2");
    if (from != to)
        libc_release_fd(to);
    return dup2(from, to);
}

MODEL(int, dup3, (int from, int to, int flags))
{
    libc_enter_state("dup3");
    if (from != to)
        libc_release_fd(to);
    return dup3(from, to, flags);
}
