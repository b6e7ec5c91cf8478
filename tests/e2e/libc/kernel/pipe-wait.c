/* SPDX-License-Identifier: MIT
 *
 * A thread that reads from a pipe waits for who writes to it: every execution
 * is explored, and rounds of looking are none.  WAITS=1 poll, WAITS=2 epoll.
 * -DEARLY writes before the data is there.  -DLOST: nobody writes; that is
 * refused, since somebody outside might.
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2], data;

static void wait_for_it(void)
{
#if WAITS == 1
    struct pollfd p = {.fd = ends[0], .events = POLLIN};

    assert(poll(&p, 1, -1) == 1);
#elif WAITS == 2
    struct epoll_event e = {.events = EPOLLIN}, got;
    int set = epoll_create1(0);

    assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &e) == 0);
    assert(epoll_wait(set, &got, 1, -1) == 1);
    close(set);
#endif
}

static void *reader(void *none)
{
    char byte;

    wait_for_it();
    assert(read(ends[0], &byte, 1) == 1);
    assert(data == 1);
    return none;
}

int main(void)
{
    pthread_t t;

    assert(pipe(ends) == 0);
    pthread_create(&t, NULL, reader, NULL);
#ifdef EARLY
    assert(write(ends[1], "x", 1) == 1);
#endif
    data = 1;
#if !defined LOST && !defined EARLY
    assert(write(ends[1], "x", 1) == 1);
#endif
    pthread_join(t, NULL);
    return 0;
}
