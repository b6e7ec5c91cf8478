/* Two readers see two stores in either order, though both acquire. */
#include <fencer.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *write_x(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_release);
    return unused;
}

static void *write_y(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_release);
    return unused;
}

static void *read_xy(void *unused)
{
    fencer_observe("a", atomic_load_explicit(&x, memory_order_acquire));
    fencer_observe("b", atomic_load_explicit(&y, memory_order_acquire));
    return unused;
}

static void *read_yx(void *unused)
{
    fencer_observe("c", atomic_load_explicit(&y, memory_order_acquire));
    fencer_observe("d", atomic_load_explicit(&x, memory_order_acquire));
    return unused;
}

int main(void)
{
    void *(*all[])(void *) = {write_x, write_y, read_xy, read_yx};
    pthread_t t[4];

    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, all[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
