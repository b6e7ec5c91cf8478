/* SPDX-License-Identifier: MIT
 *
 * A ticket lock of two halves of a word, which C11 has no executions of.
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t both;
    struct {
        uint16_t head, tail;
    };
} lock;
static int count;

static void *work(void *unused)
{
    uint32_t was = __atomic_fetch_add(&lock.both, 1u << 16, __ATOMIC_ACQUIRE);
    uint16_t mine = (uint16_t)(was >> 16);

    while (__atomic_load_n(&lock.head, __ATOMIC_ACQUIRE) != mine)
        ;
    count++;
    __atomic_store_n(&lock.head, (uint16_t)(mine + 1), __ATOMIC_RELAXED);
    return unused;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(count == 2);
    return 0;
}
