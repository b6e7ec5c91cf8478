/* SPDX-License-Identifier: MIT
 *
 * Two threads talk over a socket, an eventfd and epoll; every wait lets the
 * other one run, and a timeout passes in virtual time.
 *
 * expect: 0 because of epoll_create1
 * options: --model sc,pso --runs 30
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int ends[2], counter;

static void *answers(void *none)
{
    char text[32];
    uint64_t three = 3;

    assert(recv(ends[1], text, sizeof(text), 0) == 5);
    text[0] = 'H';
    assert(send(ends[1], text, 5, 0) == 5);
    assert(write(counter, &three, sizeof(three)) == sizeof(three));
    return none;
}

static void close_stdout(void)
{
    assert(fclose(stdout) == 0);
}

int main(void)
{
    struct epoll_event event = {.events = EPOLLIN}, got;
    char text[8] = "";
    pthread_t other;
    uint64_t value;
    time_t before;
    fd_set set;
    int epoll = epoll_create1(0);

    atexit(close_stdout);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    counter = eventfd(0, 0);
    event.data.fd = counter;
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, counter, &event) == 0);
    pthread_create(&other, NULL, answers, NULL);
    assert(send(ends[0], "hello", 5, 0) == 5);
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    assert(select(ends[0] + 1, &set, NULL, NULL, NULL) == 1);
    assert(FD_ISSET(ends[0], &set));
    assert(read(ends[0], text, sizeof(text)) == 5);
    assert(strcmp(text, "Hello") == 0);
    assert(epoll_wait(epoll, &got, 1, -1) == 1 && got.data.fd == counter);
    assert(eventfd_read(counter, &value) == 0 && value == 3);
    pthread_join(other, NULL);
    before = time(NULL);
    assert(epoll_wait(epoll, &got, 1, 5000) == 0);
    assert(time(NULL) >= before + 5);
    puts("done");
    return 0;
}
