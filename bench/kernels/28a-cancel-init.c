/* SPDX-License-Identifier: MIT
 *
 * glibc, pthread_cancel_init, the one who initialises; in the same way riscv-pk
 * issue 64 and wayland-java issue 6.
 *
 * The first thread to need it loads a library, keeps the addresses of some of
 * its functions, and sets `libgcc_handle` last.  The others look at that alone.
 * It may be there before the addresses.
 *
 * To the user: a program that jumps to address 0 when a thread is cancelled.
 *
 *   broken: pso
 *   failure: through a null pointer
 *   fixed: pslo
 *   fence: ss after resume = really_resume;
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <stddef.h>

#define atomic_read_barrier() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#ifdef FIXED
#define atomic_write_barrier() __atomic_thread_fence(__ATOMIC_RELEASE)
#else
#define atomic_write_barrier() ((void)0)
#endif

static char libgcc[1];               /* what dlopen found */
static void *volatile libgcc_handle; /* set last */
static void (*volatile resume)(void);

static void really_resume(void)
{
}

static void cancel_init(void)
{
    if (libgcc_handle != NULL)
        return;
    resume = really_resume; /* from dlsym */
    atomic_write_barrier();
    libgcc_handle = libgcc;
}

/* _Unwind_Resume. */
static void *thread(void *unused)
{
    (void)unused;
    if (libgcc_handle == NULL)
        cancel_init();
    atomic_read_barrier();
    resume();
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
