/* SPDX-License-Identifier: MIT
 *
 * glibc, pthread_cancel_init after its repair: what is left of 28b.
 *
 * Who sees `libgcc_handle` set has a read barrier.  Who sees it unset calls the
 * initialisation, which looks once more; if another thread was faster, it
 * returns with nothing but a barrier for the compiler.
 *
 * Nobody has reported this one; it was found by reading.  -DFIXED has the read
 * barrier on that path too.
 *
 *   broken: pslo
 *   failure: through a null pointer
 *   fixed: pslo
 *   fence: ll before resume();
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <stddef.h>

#define atomic_write_barrier() __atomic_thread_fence(__ATOMIC_RELEASE)
#define atomic_read_barrier() __atomic_thread_fence(__ATOMIC_ACQUIRE)

static char libgcc[1];               /* what dlopen found */
static void *volatile libgcc_handle; /* set last */
static void (*volatile resume)(void);

static void really_resume(void)
{
}

static void cancel_init(void)
{
    if (libgcc_handle != NULL) {
#ifdef FIXED
        atomic_read_barrier();
#else
        __asm__ volatile("" ::: "memory");
#endif
        return;
    }
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
    else
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
