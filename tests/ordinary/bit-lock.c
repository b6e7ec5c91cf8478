/* SPDX-License-Identifier: MIT
 *
 * A lock in the lowest bit of a list head, with gcc's old builtins.  -DBROKEN:
 * the bit is cleared by an ordinary store, since we own the word.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK_BIT ((uintptr_t)1)

struct item {
    struct item *next;
    int n;
};

static uintptr_t bucket;
static int items;

static struct item *bucket_lock(void)
{
    uintptr_t old;

    do
        old = __sync_fetch_and_or(&bucket, LOCK_BIT);
    while (old & LOCK_BIT);
    return (struct item *)old;
}

static void bucket_unlock(struct item *head)
{
#ifdef BROKEN
    __atomic_store_n(&bucket, (uintptr_t)head, __ATOMIC_RELAXED);
#else
    __atomic_store_n(&bucket, (uintptr_t)head, __ATOMIC_RELEASE);
#endif
}

static void insert(int n)
{
    struct item *i = malloc(sizeof *i);

    i->n = n;
    i->next = bucket_lock();
    items++;
    bucket_unlock(i);
}

static int sum(void)
{
    struct item *head = bucket_lock();
    int s = 0;

    for (struct item *i = head; i; i = i->next)
        s += i->n;
    assert(s == 0 || items > 0);
    bucket_unlock(head);
    return s;
}

static void *adder(void *arg)
{
    insert(3);
    return arg;
}

static void *reader(void *arg)
{
    int s = sum();

    assert(s == 0 || s == 3);
    return arg;
}

int main(void)
{
    pthread_t a, r;

    pthread_create(&a, NULL, adder, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(r, NULL);
    return 0;
}
