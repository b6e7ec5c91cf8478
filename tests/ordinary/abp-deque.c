/* SPDX-License-Identifier: MIT
 *
 * The bounded deque of Arora, Blumofe and Plaxton: top and its tag are one
 * word. -DBROKEN: the owner raises the bottom with a relaxed store, and a thief
 * may find nothing in the slot.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int id;
} job_t;

typedef union {
    uint32_t word;
    struct {
        uint16_t tag, top;
    } f;
} age_t;

static _Atomic uint32_t age;
static atomic_uint bot;
static _Atomic(job_t *) deq[4];

static void push_bottom(job_t *j)
{
    unsigned b = atomic_load_explicit(&bot, memory_order_relaxed);

    atomic_store_explicit(&deq[b], j, memory_order_relaxed);
#ifdef BROKEN
    atomic_store_explicit(&bot, b + 1, memory_order_relaxed);
#else
    atomic_store_explicit(&bot, b + 1, memory_order_release);
#endif
}

static job_t *pop_top(void)
{
    age_t old, new;

    old.word = atomic_load(&age);
    unsigned b = atomic_load(&bot);
    if (b <= old.f.top)
        return NULL;
    job_t *j = atomic_load_explicit(&deq[old.f.top], memory_order_relaxed);
    new = old;
    new.f.top++;
    if (atomic_compare_exchange_strong(&age, &old.word, new.word))
        return j;
    return NULL;
}

static job_t *pop_bottom(void)
{
    unsigned b = atomic_load_explicit(&bot, memory_order_relaxed);
    age_t old, new;
    job_t *j;

    if (b == 0)
        return NULL;
    b--;
    atomic_store(&bot, b);
    j = atomic_load_explicit(&deq[b], memory_order_relaxed);
    old.word = atomic_load(&age);
    if (b > old.f.top)
        return j;
    atomic_store(&bot, 0);
    new.f.top = 0;
    new.f.tag = old.f.tag + 1;
    if (b == old.f.top &&
        atomic_compare_exchange_strong(&age, &old.word, new.word))
        return j;
    atomic_store(&age, new.word);
    return NULL;
}

static job_t jobs[2];
static atomic_int runs;

static void *owner(void *arg)
{
    job_t *j;

    for (int i = 0; i < 2; i++) {
        jobs[i].id = i + 1;
        push_bottom(&jobs[i]);
    }
    while ((j = pop_bottom()) != NULL)
        atomic_fetch_add(&runs, j->id);
    return arg;
}

static void *thief(void *arg)
{
    job_t *j = pop_top();

    if (j != NULL)
        atomic_fetch_add(&runs, j->id);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&runs) == 3);
    return 0;
}
