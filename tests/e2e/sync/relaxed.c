/* SPDX-License-Identifier: MIT
 *
 * What synchronisation orders on which model (the table in docs/models.md):
 * an assertion per case that holds where the table says so, and nowhere else.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t left_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t left_rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t right_rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t left_spin, right_spin;
static pthread_cond_t left_cond = PTHREAD_COND_INITIALIZER;
static pthread_cond_t right_cond = PTHREAD_COND_INITIALIZER;
static sem_t left_sem, right_sem;
static int x, y, left_saw, right_saw;

static void together(void *(*f)(void *), void *(*g)(void *))
{
    pthread_t t, u;

    pthread_create(&t, NULL, f, NULL);
    pthread_create(&u, NULL, g, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
}

/* Store buffering over a critical section each: is a store inside still on its
 * way after the unlock?  SB(name, what is before the store, and after it). */
#define SB(name, left_before, left_after, right_before, right_after)           \
    static void *name##_left(void *argument)                                   \
    {                                                                          \
        left_before;                                                           \
        x = 1;                                                                 \
        left_after;                                                            \
        left_saw = y;                                                          \
        return argument;                                                       \
    }                                                                          \
    static void *name##_right(void *argument)                                  \
    {                                                                          \
        right_before;                                                          \
        y = 1;                                                                 \
        right_after;                                                           \
        right_saw = x;                                                         \
        return argument;                                                       \
    }                                                                          \
    static void name(void)                                                     \
    {                                                                          \
        together(name##_left, name##_right);                                   \
        assert(left_saw || right_saw);                                         \
    }

SB(plain, , , , )
SB(mutexes, pthread_mutex_lock(&left_lock), pthread_mutex_unlock(&left_lock),
   pthread_mutex_lock(&right_lock), pthread_mutex_unlock(&right_lock))
SB(rwlocks, pthread_rwlock_wrlock(&left_rw), pthread_rwlock_unlock(&left_rw),
   pthread_rwlock_wrlock(&right_rw), pthread_rwlock_unlock(&right_rw))
SB(spins, pthread_spin_lock(&left_spin), pthread_spin_unlock(&left_spin),
   pthread_spin_lock(&right_spin), pthread_spin_unlock(&right_spin))
SB(locks_after, , pthread_mutex_lock(&left_lock), ,
   pthread_mutex_lock(&right_lock))
SB(posts, , sem_post(&left_sem), , sem_post(&right_sem))
SB(signals, , pthread_cond_signal(&left_cond), ,
   pthread_cond_signal(&right_cond))

/* A lock that was not got orders nothing: who finds it taken may not see what
 * the owner stored before taking it. */
static void *store_then_lock(void *argument)
{
    x = 1;
    pthread_mutex_lock(&left_lock);
    return argument;
}

static void *try_then_load(void *argument)
{
    right_saw = 1;
    if (pthread_mutex_trylock(&left_lock))
        right_saw = x;
    else
        pthread_mutex_unlock(&left_lock);
    return argument;
}

static void trylock(void)
{
    together(store_then_lock, try_then_load);
    assert(right_saw);
}

/* The same with a lock that was got in between, and given back. */
static void *store_lock_unlock(void *argument)
{
    x = 1;
    pthread_mutex_lock(&left_lock);
    y = 1;
    pthread_mutex_unlock(&left_lock);
    return argument;
}

static void *lock_then_load(void *argument)
{
    pthread_mutex_lock(&left_lock);
    right_saw = !y || x;
    pthread_mutex_unlock(&left_lock);
    return argument;
}

static void handed_over(void)
{
    together(store_lock_unlock, lock_then_load);
    assert(right_saw);
}

/* Two stores before a create, and a stale value from before a join. */
static void *see_both(void *argument)
{
    assert(x == 1 && y == 1);
    x = 2;
    return argument;
}

static void create_and_join(void)
{
    pthread_t t, u;

    pthread_create(&u, NULL, store_then_lock, NULL);
    pthread_join(u, NULL);
    assert(x == 1);
    y = 1;
    pthread_create(&t, NULL, see_both, NULL);
    pthread_join(t, NULL);
    assert(x == 2);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"plain", plain},
    {"mutexes", mutexes},
    {"rwlocks", rwlocks},
    {"spins", spins},
    {"locks-after", locks_after},
    {"posts", posts},
    {"signals", signals},
    {"trylock", trylock},
    {"handed-over", handed_over},
    {"create-and-join", create_and_join},
};

int main(int argc, char **argv)
{
    pthread_spin_init(&left_spin, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&right_spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&left_sem, 0, 0);
    sem_init(&right_sem, 0, 0);
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++) {
        if (!strcmp(argv[1], cases[i].name)) {
            cases[i].run();
            return 0;
        }
    }
    return 99;
}
