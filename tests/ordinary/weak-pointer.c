/* SPDX-License-Identifier: MIT
 *
 * Strong and weak counts: who has a weak pointer may get a strong one while
 * there is another.  -DBROKEN: the strong count is lowered without release; no
 * machine lets the look at the data sink below, for it decides whether the
 * thread goes on. -DNO_FENCE: who lowers it to 0 does not acquire.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo no, c11 yes
 * verify -DBROKEN:  arm no, riscv no, power no
 * verify -DNO_FENCE:  sc no, tso no, pso no, pslo no, c11 yes
 * verify -DNO_FENCE:  arm no, riscv no, power no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef BROKEN
#define LOWER memory_order_relaxed
#else
#define LOWER memory_order_release
#endif

struct inner {
    atomic_size_t strong, weak;
    int data;
};

static void weak_drop(struct inner *p)
{
    if (atomic_fetch_sub_explicit(&p->weak, 1, memory_order_release) != 1)
        return;
    atomic_thread_fence(memory_order_acquire);
    free(p);
}

static void arc_drop(struct inner *p)
{
    if (atomic_fetch_sub_explicit(&p->strong, 1, LOWER) != 1)
        return;
#ifndef NO_FENCE
    atomic_thread_fence(memory_order_acquire);
#endif
    p->data = -1;
    weak_drop(p);
}

static bool upgrade(struct inner *p)
{
    size_t n = atomic_load_explicit(&p->strong, memory_order_relaxed);
    do {
        if (n == 0)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(
        &p->strong, &n, n + 1, memory_order_acquire, memory_order_relaxed));
    return true;
}

static void *strong_user(void *u)
{
    struct inner *p = u;
    assert(p->data == 1);
    arc_drop(p);
    return 0;
}

static void *weak_user(void *u)
{
    struct inner *p = u;
    if (upgrade(p)) {
        assert(p->data == 1);
        arc_drop(p);
    }
    weak_drop(p);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    struct inner *p = malloc(sizeof *p);
    p->data = 1;
    atomic_init(&p->strong, 1);
    atomic_init(&p->weak, 2);
    pthread_create(&a, 0, strong_user, p);
    pthread_create(&b, 0, weak_user, p);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
