/* SPDX-License-Identifier: MIT
 *
 * Plain accesses of different sizes: a struct is written field by field and
 * copied as a whole.  -DLOCKED: under a mutex, else they race.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct pair {
    int a, b;
};

static struct pair shared, copy;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void)
{
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
}

static void leave(void)
{
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
}

static void *writer(void *unused)
{
    enter();
    shared.a = 1;
    shared.b = 1;
    leave();
    return unused;
}

static void *reader(void *unused)
{
    struct pair p;

    enter();
    copy = shared;
    p = copy;
    leave();
#ifdef LOCKED
    assert(p.a == p.b);
#else
    (void)p;
#endif
    return unused;
}

int main(void)
{
    pthread_t t[2];

    (void)lock;
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
