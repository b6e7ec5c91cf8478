/* SPDX-License-Identifier: MIT
 *
 * A request and its answer through one mailbox, with errno-like results.
 * -DBROKEN: the answer is not released.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BROKEN
#define ANSWER memory_order_relaxed
#else
#define ANSWER memory_order_release
#endif

enum state { EMPTY, REQUEST, ANSWERED };

static struct mailbox {
    atomic_int state;
    int argument, result;
} box;

static int mailbox_take(struct mailbox *m, int state, int *value)
{
    if (atomic_load_explicit(&m->state, memory_order_acquire) != state)
        return -EAGAIN;
    *value = state == REQUEST ? m->argument : m->result;
    return 0;
}

static void *server(void *unused)
{
    int argument, rc;

    do {
        rc = mailbox_take(&box, REQUEST, &argument);
    } while (rc == -EAGAIN);
    box.result = argument * argument;
    atomic_store_explicit(&box.state, ANSWERED, ANSWER);
    return unused;
}

static void *client(void *unused)
{
    int result = 0;

    box.argument = 7;
    atomic_store_explicit(&box.state, REQUEST, memory_order_release);
    while (mailbox_take(&box, ANSWERED, &result) < 0)
        poll(NULL, 0, 1);
    assert(result == 49);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, server, NULL);
    pthread_create(&b, NULL, client, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
