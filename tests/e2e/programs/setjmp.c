/* SPDX-License-Identifier: MIT
 *
 * setjmp and longjmp within a thread, with other threads between.
 *
 * expect: 0
 * options: --model sc,tso,pso,pslo --runs 300
 */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

static volatile int noise;

static void deeper(jmp_buf where, int level)
{
    noise = noise + 1;
    if (level == 5)
        longjmp(where, 42);
    deeper(where, level + 1);
}

static void *worker(void *unused)
{
    jmp_buf where;
    volatile int rounds = 0;

    (void)unused;
    for (int i = 0; i < 3; i++) {
        int code = setjmp(where);

        if (code == 0)
            deeper(where, 0);
        assert(code == 42);
        rounds = rounds + 1;
    }
    assert(rounds == 3);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
