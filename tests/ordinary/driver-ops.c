/* SPDX-License-Identifier: MIT
 *
 * A device behind a table of functions, which is polled for its status.
 * -DBROKEN: the device raises `ready` without release.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef BROKEN
#define RAISE memory_order_relaxed
#else
#define RAISE memory_order_release
#endif

struct status {
    bool ready;
    int length;
};

struct device;

struct operations {
    void (*status)(struct device *d, struct status *s);
};

struct device {
    const struct operations *ops;
    atomic_bool ready;
    int length;
};

static void status(struct device *d, struct status *s)
{
    s->ready = atomic_load_explicit(&d->ready, memory_order_acquire);
    s->length = s->ready ? d->length : -1;
}

static const struct operations operations = {status};
static struct device device = {.ops = &operations};

static void *hardware(void *unused)
{
    device.length = 64;
    atomic_store_explicit(&device.ready, true, RAISE);
    return unused;
}

static void *driver(void *unused)
{
    struct device *d = &device;
    struct status s;

    for (;;) {
        d->ops->status(d, &s);
        if (s.ready)
            break;
        __asm__ volatile("pause" ::: "memory");
    }
    assert(s.length == 64);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, hardware, NULL);
    pthread_create(&b, NULL, driver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
