/* SPDX-License-Identifier: MIT
 *
 * Treiber's stack with a version beside the pointer, exchanged together by 16
 * bytes.  -DBROKEN: push has no release.
 *
 * verify:           sc no, tso no, pso no, pslo no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef BROKEN
#define PUSH __ATOMIC_RELAXED
#else
#define PUSH __ATOMIC_RELEASE
#endif

struct node {
    struct node *next;
    int v;
};

typedef struct {
    struct node *p;
    uintptr_t n;
} __attribute__((aligned(16))) head_t;

static head_t top;
static struct node nodes[2];

static head_t head_load(void)
{
    head_t h;
    __atomic_load(&top, &h, __ATOMIC_ACQUIRE);
    return h;
}

static void push(struct node *n)
{
    head_t old = head_load(), new;
    do {
        n->next = old.p;
        new.p = n;
        new.n = old.n + 1;
    } while (!__atomic_compare_exchange(&top, &old, &new, false, PUSH,
                                        __ATOMIC_RELAXED));
}

static struct node *pop(void)
{
    head_t old = head_load(), new;
    do {
        if (!old.p)
            return NULL;
        new.p = old.p->next;
        new.n = old.n + 1;
    } while (!__atomic_compare_exchange(&top, &old, &new, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE));
    return old.p;
}

static void *pusher(void *a)
{
    struct node *n = a;
    n->v = 42;
    push(n);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    int got = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, pusher, &nodes[i]);
    for (int i = 0; i < 2; i++) {
        struct node *n = pop();
        if (n) {
            assert(n->v == 42);
            got++;
        }
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    while (pop())
        got++;
    assert(got == 2);
    return 0;
}
