/* SPDX-License-Identifier: MIT
 *
 * A slot whose receive fails as system calls do: -1, and errno says why.
 * -DBROKEN: the flag is sent without release.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no, arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes, arm yes
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#ifdef BROKEN
#define SEND memory_order_relaxed
#else
#define SEND memory_order_release
#endif

static atomic_int full;
static int slot[2];

static int receive(int *to, size_t count)
{
    if (!atomic_load_explicit(&full, memory_order_acquire)) {
        errno = EAGAIN;
        return -1;
    }
    memcpy(to, slot, count * sizeof *to);
    return (int)count;
}

static void *sender(void *unused)
{
    slot[0] = 1;
    slot[1] = 2;
    atomic_store_explicit(&full, 1, SEND);
    return unused;
}

static void *receiver(void *unused)
{
    int got[2], n;

    while ((n = receive(got, 2)) < 0 && errno == EAGAIN)
        sched_yield();
    assert(n == 2 && got[0] == 1 && got[1] == 2);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
