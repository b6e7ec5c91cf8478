/* SPDX-License-Identifier: MIT
 *
 * A mailbox for one message, by the macros of a firmware: the doorbell says
 * whose turn it is.  -DBROKEN: dmb() is missing between message and doorbell.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define REG_READ(r) __atomic_load_n(&(r), __ATOMIC_RELAXED)
#define REG_WRITE(r, v) __atomic_store_n(&(r), (v), __ATOMIC_RELAXED)
#define dmb() __sync_synchronize()

typedef struct {
    uint32_t doorbell;
    uint32_t command;
    uint32_t argument;
} mbox_t;

static mbox_t mbox;

static void mbox_send(mbox_t *m, uint32_t cmd, uint32_t arg)
{
    while (REG_READ(m->doorbell))
        ;
    dmb();
    m->command = cmd;
    m->argument = arg;
#ifndef BROKEN
    dmb();
#endif
    REG_WRITE(m->doorbell, 1);
}

static void mbox_receive(mbox_t *m, uint32_t *cmd, uint32_t *arg)
{
    while (!REG_READ(m->doorbell))
        ;
    dmb();
    *cmd = m->command;
    *arg = m->argument;
    dmb();
    REG_WRITE(m->doorbell, 0);
}

static void *host(void *unused)
{
    mbox_send(&mbox, 1, 100);
    mbox_send(&mbox, 2, 200);
    return unused;
}

static void *device(void *unused)
{
    uint32_t cmd, arg;

    for (uint32_t i = 1; i <= 2; i++) {
        mbox_receive(&mbox, &cmd, &arg);
        assert(cmd == i);
        assert(arg == 100 * i);
    }
    return unused;
}

int main(void)
{
    pthread_t h, d;

    pthread_create(&h, 0, host, 0);
    pthread_create(&d, 0, device, 0);
    pthread_join(h, 0);
    pthread_join(d, 0);
    return 0;
}
