/* SPDX-License-Identifier: MIT
 *
 * The shapes of ThreadSanitizer's own tests, written anew in C: -DSHAPE is one
 * with a data race, -DSHAPE -DFIXED the same without.  `first` and `second` run
 * in a thread each, between `before` and `after`.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef FIXED
#define IF_FIXED(what) what
#define IF_BROKEN(what)
#else
#define IF_FIXED(what)
#define IF_BROKEN(what) what
#endif

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;

static void lock(pthread_mutex_t *m)
{
    pthread_mutex_lock(m);
}

static void unlock(pthread_mutex_t *m)
{
    pthread_mutex_unlock(m);
}

static int global;
static void before(void);
static void first(void);
static void second(void);
static void after(void);

#if defined(SIMPLE)
static void before(void)
{
}
static void first(void)
{
    IF_FIXED(lock(&m1);)
    global = 42;
    IF_FIXED(unlock(&m1);)
}
static void second(void)
{
    IF_FIXED(lock(&m1);)
    global = 43;
    IF_FIXED(unlock(&m1);)
}
static void after(void)
{
}

#elif defined(ONE_MUTEX) /* mutexset: one side holds some, the other none */
static void before(void)
{
}
static void first(void)
{
    lock(&m1);
    global++;
    unlock(&m1);
}
static void second(void)
{
    IF_FIXED(lock(&m1);)
    global--;
    IF_FIXED(unlock(&m1);)
}
static void after(void)
{
}

#elif defined(TWO_MUTEXES) /* each side holds another */
static void before(void)
{
}
static void first(void)
{
    lock(&m1);
    global++;
    unlock(&m1);
}
static void second(void)
{
    lock(IF_FIXED(&m1) IF_BROKEN(&m2));
    global--;
    unlock(IF_FIXED(&m1) IF_BROKEN(&m2));
}
static void after(void)
{
}

#elif defined(LET_GO) /* held for a while only */
static void before(void)
{
}
static void first(void)
{
    lock(&m1);
    lock(&m2);
    IF_BROKEN(unlock(&m1);)
    global++;
    IF_FIXED(unlock(&m1);)
    unlock(&m2);
}
static void second(void)
{
    lock(&m1);
    global--;
    unlock(&m1);
}
static void after(void)
{
}

#elif defined(HEAP)
static int *memory;
static void before(void)
{
    memory = malloc(sizeof *memory);
}
static void first(void)
{
    IF_FIXED(lock(&m1);)
    *memory = 1;
    IF_FIXED(unlock(&m1);)
}
static void second(void)
{
    IF_FIXED(lock(&m1);)
    *memory = 2;
    IF_FIXED(unlock(&m1);)
}
static void after(void)
{
    free(memory);
}

#elif defined(FREES) /* who is last frees; the broken one does not look */
static int *memory, done;
static void before(void)
{
    memory = malloc(sizeof *memory);
}
static void leave(void)
{
    lock(&m1);
    if (++done == 2)
        free(memory);
    unlock(&m1);
}
static void first(void)
{
    lock(&m1);
    *memory = 1;
    unlock(&m1);
    leave();
}
static void second(void)
{
    IF_FIXED(leave();)
    IF_BROKEN(leave(); if (done == 2) global = 1;)
}
static void after(void)
{
}

#elif defined(ATOMIC_FREE) /* freed while an atomic in it is updated */
static atomic_int *memory;
static atomic_int count = 2;
static void before(void)
{
    memory = calloc(1, sizeof *memory);
}
static void leave(memory_order order)
{
    if (atomic_fetch_sub_explicit(&count, 1, order) == 1)
        free(memory);
}
static void first(void)
{
    atomic_fetch_add(memory, 1);
    leave(IF_FIXED(memory_order_acq_rel) IF_BROKEN(memory_order_relaxed));
}
static void second(void)
{
    leave(IF_FIXED(memory_order_acq_rel) IF_BROKEN(memory_order_relaxed));
}
static void after(void)
{
}

#elif defined(ATOMIC_AND_PLAIN)
static atomic_int word;
static void before(void)
{
}
static void first(void)
{
    atomic_fetch_add_explicit(&word, 1, memory_order_relaxed);
}
static void second(void)
{
    IF_BROKEN(*(int *)&word = 2;)
    IF_FIXED(atomic_store_explicit(&word, 2, memory_order_relaxed);)
}
static void after(void)
{
}

#elif defined(ATOMIC_ON_STACK)
static atomic_int *shared;
static void before(void)
{
    static atomic_int place;

    shared = &place;
}
static void first(void)
{
    atomic_fetch_add_explicit(shared, 1, memory_order_relaxed);
}
static void second(void)
{
    IF_BROKEN(global = *(int *)shared;)
    IF_FIXED(global = atomic_load_explicit(shared, memory_order_relaxed);)
}
static void after(void)
{
}

#elif defined(MESSAGE) || defined(MESSAGE_STORED) || defined(MESSAGE_NEITHER)
static atomic_int flag;
#if defined(FIXED)
#define STORE memory_order_release
#define LOAD memory_order_acquire
#elif defined(MESSAGE)
#define STORE memory_order_release
#define LOAD memory_order_relaxed
#elif defined(MESSAGE_STORED)
#define STORE memory_order_relaxed
#define LOAD memory_order_acquire
#else
#define STORE memory_order_relaxed
#define LOAD memory_order_relaxed
#endif
static void before(void)
{
}
static void first(void)
{
    global = 1;
    atomic_store_explicit(&flag, 1, STORE);
}
static void second(void)
{
    while (!atomic_load_explicit(&flag, LOAD))
        ;
    global = 2;
}
static void after(void)
{
}

#elif defined(COPIES) /* memcpy, memset, memcmp on one piece of memory */
static char bytes[8], other[8];
static void before(void)
{
}
static void first(void)
{
    memcpy(bytes, other, IF_BROKEN(8) IF_FIXED(4));
}
static void second(void)
{
    memset(bytes + 4, 1, 4);
}
static void after(void)
{
    global = memcmp(bytes, other, 8);
}

#elif defined(BIT_FIELDS) /* neighbours in one unit are one location */
static struct {
    int a : 4;
    IF_FIXED(int : 0;)
    int b : 4;
} fields;
static void before(void)
{
}
static void first(void)
{
    fields.a = 1;
}
static void second(void)
{
    fields.b = 1;
}
static void after(void)
{
    global = fields.a + fields.b;
}

#elif defined(SIZES) /* a byte of a larger one */
static union {
    uint64_t all;
    uint8_t byte[16];
} mixed;
static void before(void)
{
}
static void first(void)
{
    mixed.all = 1;
}
static void second(void)
{
    mixed.byte[IF_BROKEN(3) IF_FIXED(8)] = 1;
}
static void after(void)
{
}

#elif defined(STACK) /* a variable of another thread's */
static sem_t given, taken;
static int *place;
static void before(void)
{
    sem_init(&given, 0, 0);
    sem_init(&taken, 0, 0);
}
static void first(void)
{
    int local = 0;

    place = &local;
    sem_post(&given);
    IF_BROKEN(local = 1;)
    sem_wait(&taken);
    IF_FIXED(local = 1;)
    global = local;
}
static void second(void)
{
    sem_wait(&given);
    *place = 2;
    sem_post(&taken);
}
static void after(void)
{
}

#elif defined(THREAD_LOCAL) /* the same with a thread's own */
static sem_t given, taken;
static _Thread_local int local;
static int *place;
static void before(void)
{
    sem_init(&given, 0, 0);
    sem_init(&taken, 0, 0);
}
static void first(void)
{
    place = &local;
    sem_post(&given);
    IF_BROKEN(local = 1;)
    sem_wait(&taken);
    IF_FIXED(local = 1;)
}
static void second(void)
{
    sem_wait(&given);
    *place = 2;
    sem_post(&taken);
}
static void after(void)
{
}

#elif defined(READER_LOCK) /* writes where only readers hold it */
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static void before(void)
{
}
static void first(void)
{
    IF_BROKEN(pthread_rwlock_rdlock(&rw);)
    IF_FIXED(pthread_rwlock_wrlock(&rw);)
    global++;
    pthread_rwlock_unlock(&rw);
}
static void second(void)
{
    int seen;

    pthread_rwlock_rdlock(&rw);
    seen = global;
    pthread_rwlock_unlock(&rw);
    (void)seen;
}
static void after(void)
{
}

#elif defined(MUTEX_MADE) /* made by one while the other takes it */
static pthread_mutex_t made;
static void before(void)
{
    IF_FIXED(pthread_mutex_init(&made, NULL);)
}
static void first(void)
{
    IF_BROKEN(pthread_mutex_init(&made, NULL);)
    lock(&made);
    global = 42;
    unlock(&made);
}
static void second(void)
{
    lock(&made);
    global = 43;
    unlock(&made);
}
static void after(void)
{
}

#elif defined(MUTEX_GONE) /* destroyed by one while the other takes it */
static pthread_mutex_t made = PTHREAD_MUTEX_INITIALIZER;
static void before(void)
{
}
static void first(void)
{
    lock(&made);
    unlock(&made);
}
static void second(void)
{
    IF_BROKEN(pthread_mutex_destroy(&made);)
}
static void after(void)
{
    IF_FIXED(pthread_mutex_destroy(&made);)
}

#elif defined(BARRIER)
static pthread_barrier_t both;
static void before(void)
{
    pthread_barrier_init(&both, NULL, 2);
}
static void first(void)
{
    global = 1;
    pthread_barrier_wait(&both);
}
static void second(void)
{
    IF_FIXED(pthread_barrier_wait(&both);)
    global = 2;
    IF_BROKEN(pthread_barrier_wait(&both);)
}
static void after(void)
{
}

#elif defined(SEMAPHORE)
static sem_t posted;
static void before(void)
{
    sem_init(&posted, 0, IF_BROKEN(1) IF_FIXED(0));
}
static void first(void)
{
    global = 1;
    sem_post(&posted);
}
static void second(void)
{
    sem_wait(&posted);
    global = 2;
}
static void after(void)
{
}

#elif defined(CONDITION)
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;
static void before(void)
{
}
static void first(void)
{
    IF_FIXED(global = 1;)
    lock(&m1);
    ready = 1;
    pthread_cond_signal(&cond);
    unlock(&m1);
    IF_BROKEN(global = 1;)
}
static void second(void)
{
    lock(&m1);
    while (!ready)
        pthread_cond_wait(&cond, &m1);
    unlock(&m1);
    global = 2;
}
static void after(void)
{
}

#elif defined(ONCE)
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void begin(void)
{
    global = 1;
}
static void before(void)
{
}
static void use(void)
{
    int seen;

    IF_FIXED(pthread_once(&once, begin);)
    IF_BROKEN(if (!global) begin();)
    seen = global;
    (void)seen;
    (void)&once;
}
static void first(void)
{
    use();
}
static void second(void)
{
    use();
}
static void after(void)
{
}

#elif defined(SPIN)
static pthread_spinlock_t spin;
static void before(void)
{
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
}
static void first(void)
{
    pthread_spin_lock(&spin);
    global++;
    pthread_spin_unlock(&spin);
}
static void second(void)
{
    IF_BROKEN(if (pthread_spin_trylock(&spin)) return;
              pthread_spin_unlock(&spin); global--;)
    IF_FIXED(if (pthread_spin_trylock(&spin)) return; global--;
             pthread_spin_unlock(&spin);)
}
static void after(void)
{
}

#elif defined(REALLOCATES)
static char *memory;
static void before(void)
{
    memory = calloc(1, 16);
}
static void first(void)
{
    lock(&m1);
    memory = realloc(memory, 4096);
    unlock(&m1);
}
static void second(void)
{
    char *here;

    lock(&m1);
    here = memory;
    IF_FIXED(here[0] = 1;)
    unlock(&m1);
    IF_BROKEN(here[0] = 1;)
}
static void after(void)
{
    free(memory);
}

#elif defined(INNER) /* a thread of a thread's; joined or not */
static pthread_t inner;
static void *inside(void *unused)
{
    global = 1;
    return unused;
}
static void before(void)
{
}
static void first(void)
{
    pthread_create(&inner, NULL, inside, NULL);
    IF_FIXED(pthread_join(inner, NULL);)
    global = 2;
    IF_BROKEN(pthread_join(inner, NULL);)
}
static void second(void)
{
}
static void after(void)
{
}

#elif defined(FENCES) /* ThreadSanitizer does not know fences */
static atomic_int flag;
static void before(void)
{
}
static void first(void)
{
    global = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
}
static void second(void)
{
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
        ;
    IF_FIXED(atomic_thread_fence(memory_order_acquire);)
    global = 2;
}
static void after(void)
{
}
#endif

static void *run_first(void *unused)
{
    first();
    return unused;
}

static void *run_second(void *unused)
{
    second();
    return unused;
}

int main(void)
{
    pthread_t a, b;

    before();
    pthread_create(&a, NULL, run_first, NULL);
    pthread_create(&b, NULL, run_second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    after();
    (void)&lock;
    (void)&unlock;
    (void)&m2;
    return 0;
}
