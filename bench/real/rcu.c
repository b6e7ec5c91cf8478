/* SPDX-License-Identifier: MIT
 *
 * One updater and READERS readers on liburcu: the updater replaces the object,
 * waits for a grace period and takes the old one apart.  A reader that still
 * looks at it finds it so.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define URCU_API_MAP /* rcu_read_lock for urcu_mb_read_lock, and so on */
#ifdef RCU_QSBR
#include <urcu/urcu-qsbr.h>
#else
#include <urcu.h>
#endif

#ifndef READERS
#define READERS 1
#endif

struct object {
    int whole;
};

static struct object old = {1}, new;
static struct object *published = &old;

static void *reader(void *unused)
{
    struct object *seen;

    rcu_register_thread();
#ifdef RCU_QSBR
    rcu_thread_offline();
    rcu_thread_online();
#endif
    rcu_read_lock();
    seen = rcu_dereference(published);
    assert(CMM_LOAD_SHARED(seen->whole) == 1);
    rcu_read_unlock();
#ifdef RCU_QSBR
    rcu_quiescent_state();
#endif
    rcu_unregister_thread();
    return unused;
}

int main(void)
{
    pthread_t id[READERS];

    for (int i = 0; i < READERS; i++)
        pthread_create(&id[i], NULL, reader, NULL);
    new.whole = 1;
    rcu_assign_pointer(published, &new);
    synchronize_rcu();
    CMM_STORE_SHARED(old.whole, 0);
    for (int i = 0; i < READERS; i++)
        pthread_join(id[i], NULL);
    return 0;
}
