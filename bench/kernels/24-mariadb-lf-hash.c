/* SPDX-License-Identifier: MIT
 *
 * MariaDB, lf_hash: MDEV-27088, pull requests 1951 and 1952, crashes on ARM.
 *
 * A search takes a node's key, then looks at its link: if that is not marked as
 * deleted, the key was good.  Deleting marks the link, and only then uses the
 * key's place for the list of nodes to be freed.  The search's look at the link
 * may come before it takes the key.
 *
 * To the user: the server crashes in a comparison function.
 *
 * -DFIXED looks at the link after an acquire, and makes the store over the key
 * a release, since it could overtake the compare-and-swap: on ARM, where that
 * is a loop, and to C11.
 *
 *   broken: pslo
 *   failure: through a null pointer
 *   fixed: pslo
 *   fence: ll after const char *key =
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifdef FIXED
#define READ memory_order_acquire
#define WRITE memory_order_release
#else
#define READ memory_order_relaxed
#define WRITE memory_order_relaxed
#endif

#define DELETED 1

static struct {
    atomic_uintptr_t link;
    const char *_Atomic key;
} node = {0, "table"};

/* l_find. */
static void *finder(void *unused)
{
    (void)unused;
    const char *key = atomic_load_explicit(&node.key, READ);
    uintptr_t link = atomic_load_explicit(&node.link, memory_order_relaxed);
    if (!(link & DELETED) && key[0] != 't')
        return &node;
    return NULL;
}

/* l_delete, add_to_purgatory. */
static void *deleter(void *unused)
{
    uintptr_t link = 0;

    (void)unused;
    atomic_compare_exchange_strong(&node.link, &link, link | DELETED);
    atomic_store_explicit(&node.key, NULL, WRITE);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, finder, NULL);
    pthread_create(&b, NULL, deleter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
