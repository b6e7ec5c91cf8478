/* SPDX-License-Identifier: MIT
 *
 * Linux, the ring buffer of perf, giving room back: commit bf378d3.
 *
 * The user reads the records and then moves `data_tail`, which lets the kernel
 * write over them.  If a record is read after that store, it is a newer one.  A
 * store buffer does not do that, and C11 as it is here has no such executions
 * (docs/models.md); ARM, RISC-V and POWER do.
 *
 * The user keeps the records and judges them at the end: a branch on a record
 * before the store would keep the two in order.
 *
 *   broken: none
 *   failure: assertion failed
 *   fixed: pslo
 *   verify: arm broken, riscv broken, power broken, c11 right
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)

#define SIZE 2

static volatile unsigned long data_head, data_tail; /* count up for ever */
static volatile int data[SIZE];

/* perf_output_begin to perf_output_end. */
static void *kernel(void *unused)
{
    (void)unused;
    for (unsigned long head = 0; head < 3; head++) {
        if (head - data_tail == SIZE)
            break;
        smp_mb();
        data[head % SIZE] = (int)head + 1;
        smp_wmb();
        data_head = head + 1;
    }
    return NULL;
}

/* perf_mmap__read. */
static void *user(void *unused)
{
    unsigned long head = data_head;
    int records[SIZE];

    (void)unused;
    smp_rmb();
    for (unsigned long tail = 0; tail < head; tail++)
        records[tail % SIZE] = data[tail % SIZE];
#ifdef FIXED
    smp_mb();
#endif
    data_tail = head;
    for (unsigned long tail = 0; tail < head; tail++)
        assert(records[tail % SIZE] == (int)tail + 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, kernel, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
