/* SPDX-License-Identifier: MIT
 *
 * PostgreSQL, an older latch, known from the mailing list as a test of POWER
 * and used since by CBMC, rInspect and GenMC (pgsql).
 *
 * Two workers pass work to each other: work first, then the latch of who shall
 * do it.  A worker waits for its latch, resets it, and looks for work.  If the
 * latch overtakes the work, the reset throws the only wake-up away; so it does
 * if the reset itself is late.
 *
 * To the user: both workers wait for ever.
 *
 * -DFIXED sets the latch with release and tests it with acquire.
 *
 *   broken: pso
 *   failure: livelock
 *   fixed: pslo
 *   fence: ss after work[1 - me] = true;
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef FIXED
#define SET(latch) __atomic_store_n(&(latch), true, __ATOMIC_RELEASE)
#define TEST(latch) __atomic_load_n(&(latch), __ATOMIC_ACQUIRE)
#else
#define SET(latch) ((latch) = true)
#define TEST(latch) (latch)
#endif

static volatile bool latch[2] = {true}, work[2] = {true};

static void pass(int me)
{
    work[me] = false;
    work[1 - me] = true;
    SET(latch[1 - me]);
}

/* Has work, passes it on, and waits until it comes back. */
static void *first(void *unused)
{
    (void)unused;
    latch[0] = false;
    if (work[0])
        pass(0);
    while (!TEST(latch[0]))
        ;
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    do {
        while (!TEST(latch[1]))
            ;
        latch[1] = false;
    } while (!work[1]);
    pass(1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
