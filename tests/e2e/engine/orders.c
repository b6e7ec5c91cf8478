/* SPDX-License-Identifier: MIT
 *
 * Threads that do one thing with the library, by the name of the case in
 * argv[1]: what e2e.count counts the executions of.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <fencer.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_key_t key;
static sem_t sem;
static mtx_t mtx;
static int *block;
static int ready;
static char to[2][8], from[8];

static void prepare(void)
{
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_key_create(&key, NULL);
    sem_init(&sem, 0, 1);
    mtx_init(&mtx, mtx_plain);
    block = malloc(sizeof *block);
    *block = 1;
}

/* ---- The heap ---- */

static void *allocate(void *unused)
{
    int *p = malloc(sizeof *p);

    (void)unused;
    *p = 1;
    free(p);
    return NULL;
}

static void *allocate_more(void *unused)
{
    char *p[9];

    (void)unused;
    for (int i = 0; i < 9; i++)
        p[i] = malloc(100);
    for (int i = 0; i < 9; i++)
        *p[i] = 'x';
    for (int i = 0; i < 9; i++)
        free(p[i]);
    return NULL;
}

static void *publish(void *unused)
{
    (void)unused;
    block = malloc(sizeof *block);
    return NULL;
}

static void *look_at_block(void *unused)
{
    (void)unused;
    return (void *)(size_t)*block;
}

static void *free_block(void *unused)
{
    (void)unused;
    free(block);
    return NULL;
}

static void *copy(void *mine)
{
    memcpy(mine, from, sizeof from);
    return NULL;
}

static void *copy_there(void *unused)
{
    (void)unused;
    memset(from, 1, sizeof from);
    return NULL;
}

/* ---- Locks ---- */

static void *lock(void *which)
{
    pthread_mutex_lock(which);
    pthread_mutex_unlock(which);
    return NULL;
}

static void *try_lock(void *unused)
{
    (void)unused;
    if (!pthread_mutex_trylock(&mutex))
        pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *lock_spin(void *unused)
{
    (void)unused;
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
    return NULL;
}

static void *lock_c11(void *unused)
{
    (void)unused;
    mtx_lock(&mtx);
    mtx_unlock(&mtx);
    return NULL;
}

static void *read_lock(void *unused)
{
    (void)unused;
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    return NULL;
}

static void *write_lock(void *unused)
{
    (void)unused;
    pthread_rwlock_wrlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    return NULL;
}

/* ---- Waiting ---- */

static void *wait_ready(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *get_ready(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *wait_blindly(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *signal_blindly(void *unused)
{
    (void)unused;
    pthread_cond_signal(&cond);
    return NULL;
}

static void *take_turns(void *unused)
{
    (void)unused;
    sem_wait(&sem);
    sem_post(&sem);
    return NULL;
}

static void *post(void *unused)
{
    (void)unused;
    sem_post(&sem);
    return NULL;
}

static void *wait_twice(void *unused)
{
    (void)unused;
    sem_wait(&sem);
    sem_wait(&sem);
    return NULL;
}

static void *destroy(void *unused)
{
    (void)unused;
    sem_destroy(&sem);
    return NULL;
}

static void *meet(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&barrier);
    return NULL;
}

static void get_ready_once(void)
{
    ready = 1;
}

static void *call_once_only(void *unused)
{
    (void)unused;
    pthread_once(&once, get_ready_once);
    return NULL;
}

/* ---- The rest ---- */

static void *keep(void *mine)
{
    pthread_setspecific(key, mine);
    return pthread_getspecific(key);
}

static void *make_key(void *unused)
{
    pthread_key_t mine;

    (void)unused;
    pthread_key_create(&mine, NULL);
    return NULL;
}

static void *leave(void *unused)
{
    (void)unused;
    pthread_exit(NULL);
}

static void *observe_one(void *unused)
{
    (void)unused;
    fencer_observe("one", 1);
    return NULL;
}

static void *observe_two(void *unused)
{
    (void)unused;
    fencer_observe("two", 2);
    fencer_observe("and", 3);
    return NULL;
}

static void *draw(void *unused)
{
    (void)unused;
    return (void *)(size_t)rand();
}

static void *sleep_a_little(void *unused)
{
    (void)unused;
    usleep(1);
    return NULL;
}

static void *look_at_clock(void *unused)
{
    (void)unused;
    return (void *)time(NULL);
}

static void *print(void *unused)
{
    (void)unused;
    printf("%d\n", 1);
    return NULL;
}

struct orders {
    const char *name;
    void *(*threads[3])(void *);
    void *arguments[3];
};

static const struct orders cases[] = {
    {"malloc", {allocate, allocate, allocate}, {0}},
    {"malloc-more", {allocate_more, allocate_more}, {0}},
    {"malloc-shared", {publish, look_at_block}, {0}},
    {"free", {free_block, look_at_block}, {0}},
    {"free-twice", {free_block, free_block}, {0}},
    {"memcpy", {copy, copy}, {to[0], to[1]}},
    {"memcpy-shared", {copy, copy_there}, {to[0]}},
    {"lock", {lock, lock, lock}, {&mutex, &mutex, &mutex}},
    {"lock-other", {lock, lock}, {&mutex, &other}},
    {"trylock", {try_lock, try_lock}, {0}},
    {"spin", {lock_spin, lock_spin, lock_spin}, {0}},
    {"mtx", {lock_c11, lock_c11}, {0}},
    {"readers", {read_lock, read_lock}, {0}},
    {"writers", {write_lock, write_lock, write_lock}, {0}},
    {"cond", {wait_ready, get_ready}, {0}},
    {"cond-three", {wait_ready, wait_ready, get_ready}, {0}},
    {"cond-lost", {wait_blindly, signal_blindly}, {0}},
    {"sem", {take_turns, take_turns, take_turns}, {0}},
    {"sem-wait", {wait_twice, post}, {0}},
    {"sem-destroy", {wait_twice, destroy}, {0}},
    {"barrier", {meet, meet}, {0}},
    {"once", {call_once_only, call_once_only}, {0}},
    {"keys", {keep, keep, keep}, {to, from, &key}},
    {"keys-made", {keep, make_key}, {to}},
    {"exit", {leave, leave, leave}, {0}},
    {"observe", {observe_two, observe_one}, {0}},
    {"rand", {draw, draw}, {0}},
    {"sleep", {sleep_a_little, sleep_a_little}, {0}},
    {"time", {sleep_a_little, look_at_clock}, {0}},
    {"print", {print, print}, {0}},
};

int main(int argc, char **argv)
{
    const struct orders *o = cases;
    pthread_t threads[3];
    pthread_attr_t attr;
    int count = 0;

    (void)argc;
    while (strcmp(o->name, argv[1]) != 0)
        o++;
    prepare();
    for (; count < 3 && o->threads[count]; count++) {
        pthread_attr_init(&attr);
        pthread_create(&threads[count], &attr, o->threads[count],
                       o->arguments[count]);
    }
    while (count)
        pthread_join(threads[--count], NULL);
    return 0;
}
