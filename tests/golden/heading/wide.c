/* A compare-and-swap of 16 bytes: the monitors for PSO and PSLO do not know
 * sizes that overlap; graphs do. */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic __int128 wide;

static void *swap(void *unused)
{
    __int128 old = 0;

    atomic_compare_exchange_strong(&wide, &old, ((__int128)1 << 64) + 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, swap, NULL);
    pthread_create(&b, NULL, swap, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
