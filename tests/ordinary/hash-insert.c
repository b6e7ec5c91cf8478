/* SPDX-License-Identifier: MIT
 *
 * An insert-only hash table with linear probing: a key is claimed by CAS, then
 * its value is set; 0 means "not yet".  -DBROKEN: the value, a pointer, is
 * stored relaxed.
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

#define CAPACITY 4

typedef struct user {
    char name[8];
} user_t;

static struct {
    _Atomic uint32_t key;
    _Atomic(user_t *) value;
} slots[CAPACITY];

static void table_set(uint32_t key, user_t *value)
{
    for (uint32_t i = key * 2654435761u;; i++) {
        uint32_t at = i % CAPACITY, seen;

        seen = atomic_load_explicit(&slots[at].key, memory_order_relaxed);
        if (seen != key) {
            if (seen != 0)
                continue;
            if (!atomic_compare_exchange_strong_explicit(
                    &slots[at].key, &seen, key, memory_order_relaxed,
                    memory_order_relaxed) &&
                seen != key)
                continue;
        }
#ifdef BROKEN
        atomic_store_explicit(&slots[at].value, value, memory_order_relaxed);
#else
        atomic_store_explicit(&slots[at].value, value, memory_order_release);
#endif
        return;
    }
}

static user_t *table_get(uint32_t key)
{
    for (uint32_t i = key * 2654435761u;; i++) {
        uint32_t at = i % CAPACITY;
        uint32_t seen =
            atomic_load_explicit(&slots[at].key, memory_order_relaxed);

        if (seen == key)
            return atomic_load_explicit(&slots[at].value, memory_order_acquire);
        if (seen == 0)
            return NULL;
    }
}

static user_t ann, bob;

static void *login_ann(void *arg)
{
    ann.name[0] = 'a';
    table_set(1, &ann);
    return arg;
}

static void *login_bob(void *arg)
{
    bob.name[0] = 'b';
    table_set(5, &bob);
    return arg;
}

static void *lookup(void *arg)
{
    user_t *u = table_get(1), *v = table_get(5);

    assert(!u || u->name[0] == 'a');
    assert(!v || v->name[0] == 'b');
    return arg;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, login_ann, NULL);
    pthread_create(&t[1], NULL, login_bob, NULL);
    pthread_create(&t[2], NULL, lookup, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(table_get(1) == &ann && table_get(5) == &bob);
    return 0;
}
