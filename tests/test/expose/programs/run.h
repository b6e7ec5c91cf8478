/* SPDX-License-Identifier: MIT
 *
 * Threads for the programs of this folder.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FENCED
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

#define THREAD(name) static void *name(void *unused __attribute__((unused)))
#define END return NULL

static inline void run_threads(void *(*const *f)(void *), int n)
{
    pthread_t t[8];

    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, f[i], NULL);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
}
#define RUN(...)                                                               \
    do {                                                                       \
        void *(*const all[])(void *) = {__VA_ARGS__};                          \
        run_threads(all, sizeof all / sizeof *all);                            \
    } while (0)
