/* SPDX-License-Identifier: MIT
 *
 * Concurrency Kit, ck_bytelock: issue 128, seen on amd64 and POWER.
 *
 * A reader sets its own byte, then looks for a writer.  A writer takes `owner`,
 * then looks at all bytes at once, as one word.  Nothing keeps the reader's
 * load after its store.
 *
 * To the user: reader and writer inside at once, "ERROR [RD:113]: 3 != 0" from
 * the library's own test.
 *
 * -DFIXED sets the byte with an exchange, which a fence follows.
 *
 *   broken: tso
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: sl after __atomic_store_n(&readers.byte[0], 1
 *   verify: arm broken, riscv broken, power unknown, c11 unknown
 *   verify -DFIXED: arm right, riscv right, power unknown, c11 unknown
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static union {
    uint8_t byte[8];
    uint64_t all;
} readers;
static unsigned owner;
static volatile int inside; /* how often somebody was */
static int reads;

/* ck_bytelock_read_lock, for the reader of slot 1. */
static void *reader(void *unused)
{
    (void)unused;
#ifdef FIXED
    __atomic_exchange_n(&readers.byte[0], 1, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* ck_pr_fence_atomic_load */
#else
    __atomic_store_n(&readers.byte[0], 1, __ATOMIC_RELAXED);
#endif
    if (__atomic_load_n(&owner, __ATOMIC_ACQUIRE) == 0) {
        inside = inside + 1;
        reads = 1;
    }
    __atomic_store_n(&readers.byte[0], 0, __ATOMIC_RELEASE);
    return NULL;
}

/* ck_bytelock_write_lock. */
static void *writer(void *unused)
{
    unsigned nobody = 0;

    (void)unused;
    __atomic_compare_exchange_n(&owner, &nobody, 2, 0, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* ck_pr_fence_atomic_load */
    while (__atomic_load_n(&readers.all, __ATOMIC_ACQUIRE) != 0)
        ;
    inside = inside + 1;
    __atomic_store_n(&owner, 0, __ATOMIC_RELEASE);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(inside == 1 + reads);
    return 0;
}
