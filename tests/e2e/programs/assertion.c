/* SPDX-License-Identifier: MIT
 *
 * A lost update, seen by an assertion.
 *
 * expect: 1 assertion failed: counter == 2
 * fixed: 0
 * options: --model sc
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FIXED
static atomic_int counter;
#define ADD() counter++
#else
static volatile int counter;
#define ADD() counter = counter + 1
#endif

static void *add(void *unused)
{
    (void)unused;
    ADD();
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
