/* SPDX-License-Identifier: MIT
 *
 * A list whose nodes have spin locks; who walks holds the lock of a node until
 * it has the next.  -DBROKEN: the spin lock is given back relaxed.
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

typedef struct {
    atomic_flag held;
} spin_t;

struct account {
    spin_t lock;
    int money;
    struct account *next;
};

static struct account accounts[2];

static void spin_lock(spin_t *s)
{
    while (atomic_flag_test_and_set_explicit(&s->held, memory_order_acquire))
        ;
}

static void spin_unlock(spin_t *s)
{
#ifdef BROKEN
    atomic_flag_clear_explicit(&s->held, memory_order_relaxed);
#else
    atomic_flag_clear_explicit(&s->held, memory_order_release);
#endif
}

static int total(void)
{
    struct account *a = &accounts[0];
    int sum = 0;

    spin_lock(&a->lock);
    while (a) {
        struct account *next = a->next;

        sum += a->money;
        if (next)
            spin_lock(&next->lock);
        spin_unlock(&a->lock);
        a = next;
    }
    return sum;
}

static void transfer(int amount)
{
    spin_lock(&accounts[0].lock);
    spin_lock(&accounts[1].lock);
    accounts[0].money -= amount;
    accounts[1].money += amount;
    spin_unlock(&accounts[1].lock);
    spin_unlock(&accounts[0].lock);
}

static void *clerk(void *arg)
{
    transfer(10);
    return arg;
}

static void *auditor(void *arg)
{
    assert(total() == 100);
    return arg;
}

int main(void)
{
    pthread_t c, a;

    accounts[0].money = 100;
    accounts[0].next = &accounts[1];
    pthread_create(&c, NULL, clerk, NULL);
    pthread_create(&a, NULL, auditor, NULL);
    pthread_join(c, NULL);
    pthread_join(a, NULL);
    return 0;
}
