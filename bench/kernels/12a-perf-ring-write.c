/* SPDX-License-Identifier: MIT
 *
 * Linux, the ring buffer of perf, writer's side: commit bf378d3, reported on
 * PPC64.
 *
 * The kernel writes a record, then moves `data_head`; the user reads the head,
 * then the records before it, then gives the room back by moving `data_tail`.
 * Without a write barrier the head may be there before the record.
 *
 * To the user: perf reports garbage, or complains about a damaged file.
 *
 * 12b has the reader's first barrier, 12c its last.
 *
 *   broken: pso
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ss before data_head = head + 1;
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#ifdef FIXED
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#else
#define smp_wmb() ((void)0)
#endif

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

    (void)unused;
    smp_rmb();
    for (unsigned long tail = 0; tail < head; tail++) {
        int record = data[tail % SIZE];

        assert(record == (int)tail + 1);
    }
    smp_mb();
    data_tail = head;
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
