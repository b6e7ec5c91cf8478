/* SPDX-License-Identifier: MIT
 *
 * A reference count whose decrement is relaxed, as in many first versions of
 * such counts; the kernel's refcount_t and C++'s shared_ptr release and acquire
 * there.
 *
 * Who drops the last reference frees the object.  Nothing says that what the
 * others did with it is done by then.
 *
 * To the user: memory that somebody else owns by now changes.
 *
 * -DFIXED decrements with acq_rel.
 *
 *   broken: pso
 *   failure: use after free
 *   fixed: pslo
 *   fence: ss before int before
 *   verify: arm broken, riscv broken, power broken, c11 race
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef FIXED
#define DROP memory_order_acq_rel
#else
#define DROP memory_order_relaxed
#endif

struct object {
    atomic_int references;
    int value;
};

static struct object *object;

static void drop(struct object *o)
{
    int before = atomic_fetch_sub_explicit(&o->references, 1, DROP);

    assert(before > 0);
    if (before == 1)
        free(o);
}

static void *user(void *arg)
{
    object->value = 1;
    drop(object);
    return arg;
}

int main(void)
{
    pthread_t t;

    object = malloc(sizeof *object);
    atomic_init(&object->references, 2);
    object->value = 0;
    pthread_create(&t, NULL, user, NULL);
    drop(object);
    pthread_join(t, NULL);
    return 0;
}
