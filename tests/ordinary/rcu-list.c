/* SPDX-License-Identifier: MIT
 *
 * A list that readers walk without a lock while one writer adds and removes;
 * what was removed is kept (a grace period that does not end).  -DBROKEN:
 * list_add publishes the node by a plain assignment, WRITE_ONCE.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define rcu_dereference(p) __atomic_load_n(&(p), __ATOMIC_ACQUIRE)
#ifdef BROKEN
#define rcu_assign_pointer(p, v) __atomic_store_n(&(p), (v), __ATOMIC_RELAXED)
#else
#define rcu_assign_pointer(p, v) __atomic_store_n(&(p), (v), __ATOMIC_RELEASE)
#endif

struct entry {
    struct entry *next;
    int key, val;
};

static struct entry *list;
static struct entry pool[3];

static void list_add(struct entry *e)
{
    e->next = list;
    rcu_assign_pointer(list, e);
}

static void list_del(struct entry *e)
{
    struct entry **at = &list;

    while (*at != e)
        at = &(*at)->next;
    __atomic_store_n(at, e->next, __ATOMIC_RELEASE);
}

static void fill(struct entry *e, int key)
{
    e->key = key;
    e->val = key * 10;
}

static void *writer(void *arg)
{
    fill(&pool[1], 2);
    list_add(&pool[1]);
    list_del(&pool[0]);
    fill(&pool[2], 3);
    list_add(&pool[2]);
    return arg;
}

static void *reader(void *arg)
{
    for (struct entry *e = rcu_dereference(list); e;
         e = rcu_dereference(e->next))
        assert(e->val == e->key * 10);
    return arg;
}

int main(void)
{
    pthread_t r, w;

    fill(&pool[0], 1);
    list_add(&pool[0]);
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    return 0;
}
