/* SPDX-License-Identifier: MIT
 *
 * Ring buffers shared with the kernel, read by macros of one's own:
 * falcosecurity libs pull request 2067, deepflow 7941, uftrace 2057.
 *
 * `load_acquire` and `store_release` were a barrier for the compiler alone,
 * which is enough on x86, and stayed so when the program was built elsewhere.
 *
 * To the user: events with wrong contents, on ARM only.
 *
 * -DFIXED uses what the compiler offers.
 *
 *   broken: pso
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ss after event = 7;
 *   verify: arm broken, riscv broken, power broken, c11 race
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef FIXED
#define store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#else
#define barrier() __asm__ volatile("" ::: "memory")
#define store_release(p, v)                                                    \
    do {                                                                       \
        barrier();                                                             \
        *(volatile __typeof__(*(p)) *)(p) = (v);                               \
    } while (0)
#define load_acquire(p)                                                        \
    ({                                                                         \
        __typeof__(*(p)) value_ = *(volatile __typeof__(*(p)) *)(p);           \
        barrier();                                                             \
        value_;                                                                \
    })
#endif

static unsigned head;
static int event;

static void *producer(void *unused)
{
    (void)unused;
    event = 7;
    store_release(&head, 1);
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    if (load_acquire(&head) == 1)
        assert(event == 7);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
