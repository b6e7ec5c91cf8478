/* SPDX-License-Identifier: MIT
 *
 * OCaml's ephemerons: oxcaml pull request 3819, from ocaml issue 14061.
 *
 * Storing a fresh block in the heap has a barrier before it, so that another
 * domain that finds the block finds it filled.  The store into an ephemeron was
 * written by hand, and without that barrier.
 *
 * To the user: the garbage collector reads a header that is no header.
 *
 * Readers rely on the order of a load and of what is read through it, which all
 * machines keep but Alpha: hence --deps.  To C11 that is a data race, repaired
 * or not; -DFIXED_C11 reads with acquire.
 *
 *   broken: pso
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ss after block->header = 1024;
 *   options: --deps
 *   verify: arm broken, riscv broken, power broken, c11 race
 *   verify -DFIXED: arm right, riscv right, power right, c11 race
 *   verify -DFIXED -DFIXED_C11: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef FIXED
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

#ifdef FIXED_C11
#define FIND memory_order_acquire
#else
#define FIND memory_order_relaxed
#endif

struct block {
    long header;
};

static struct block *_Atomic key; /* of an ephemeron */

/* caml_ephe_set_key. */
static void *domain(void *unused)
{
    struct block *block = calloc(1, sizeof *block);

    (void)unused;
    block->header = 1024;
    atomic_store_explicit(&key, block, PUBLISH);
    return NULL;
}

/* caml_ephe_get_key. */
static void *other_domain(void *unused)
{
    struct block *block = atomic_load_explicit(&key, FIND);

    (void)unused;
    if (block != NULL)
        assert(block->header == 1024);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, domain, NULL);
    pthread_create(&b, NULL, other_domain, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
