/* SPDX-License-Identifier: MIT
 *
 * C11's <threads.h>, and main leaving before the others.
 */
#include <assert.h>
#include <stdint.h>
#include <threads.h>
#include <time.h>

static mtx_t lock, recursive;
static cnd_t changed;
static tss_t key;
static once_flag flag = ONCE_FLAG_INIT;
static int ready, made, destroyed;

static void make(void)
{
    made++;
}

static void count_destroyed(void *value)
{
    __atomic_fetch_add(&destroyed, (int)(intptr_t)value, __ATOMIC_RELAXED);
}

static int work(void *argument)
{
    call_once(&flag, make);
    assert(made == 1);
    assert(tss_set(key, argument) == thrd_success);
    assert(tss_get(key) == argument);
    assert(mtx_lock(&lock) == thrd_success);
    ready++;
    assert(cnd_broadcast(&changed) == thrd_success);
    assert(mtx_unlock(&lock) == thrd_success);
    if (argument == (void *)2)
        thrd_exit(-7);
    return 5;
}

static int hold(void *m)
{
    return mtx_trylock(m);
}

static int in_other_thread(int (*f)(void *), void *argument)
{
    thrd_t t;
    int result = -1;

    assert(thrd_create(&t, f, argument) == thrd_success);
    assert(!thrd_equal(t, thrd_current()));
    assert(thrd_join(t, &result) == thrd_success);
    return result;
}

static void threads_wait_and_leave(void)
{
    thrd_t a, b;
    int ra, rb;

    assert(thrd_create(&a, work, (void *)1) == thrd_success);
    assert(thrd_create(&b, work, (void *)2) == thrd_success);
    assert(mtx_lock(&lock) == thrd_success);
    while (ready < 2)
        assert(cnd_wait(&changed, &lock) == thrd_success);
    assert(mtx_unlock(&lock) == thrd_success);
    assert(thrd_join(a, &ra) == thrd_success && ra == 5);
    assert(thrd_join(b, &rb) == thrd_success && rb == -7);
    assert(destroyed == 3);
    assert(thrd_join(b, NULL) == thrd_error);
}

static void errors_have_their_own_numbers(void)
{
    struct timespec past = {1, 0}, ms = {0, 1000000}, bad = {0, -1};

    assert(mtx_lock(&lock) == thrd_success);
    assert(in_other_thread(hold, &lock) == thrd_busy);
    assert(mtx_timedlock(&lock, &past) == thrd_timedout);
    assert(cnd_timedwait(&changed, &lock, &past) == thrd_timedout);
    assert(mtx_unlock(&lock) == thrd_success);
    assert(mtx_init(&recursive, mtx_recursive | mtx_timed) == thrd_success);
    assert(mtx_lock(&recursive) == thrd_success);
    assert(mtx_trylock(&recursive) == thrd_success);
    assert(mtx_timedlock(&recursive, &past) == thrd_success);
    for (int i = 0; i < 3; i++)
        assert(mtx_unlock(&recursive) == thrd_success);
    mtx_destroy(&recursive);
    assert(cnd_signal(&changed) == thrd_success);
    assert(thrd_sleep(&ms, NULL) == 0);
    assert(thrd_sleep(&bad, NULL) < 0);
}

static thrd_t main_thread;

static int outlives_main(void *argument)
{
    int result = -1;

    thrd_yield();
    assert(thrd_join(main_thread, &result) == thrd_success);
    assert(result == 9);
    return argument != NULL;
}

int main(void)
{
    thrd_t t;

    main_thread = thrd_current();
    assert(mtx_init(&lock, mtx_timed) == thrd_success);
    assert(cnd_init(&changed) == thrd_success);
    assert(tss_create(&key, count_destroyed) == thrd_success);
    threads_wait_and_leave();
    errors_have_their_own_numbers();
    tss_delete(key);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
    assert(thrd_create(&t, outlives_main, NULL) == thrd_success);
    assert(thrd_detach(t) == thrd_success);
    thrd_exit(9);
}
