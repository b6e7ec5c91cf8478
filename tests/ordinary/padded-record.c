/* SPDX-License-Identifier: MIT
 *
 * Records with padding, made by compound literals, in slots with a state each.
 * A reader looks at one after the other.  -DBROKEN: it does not acquire what it
 * finds there.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { FOUND, AGAIN, BAD } status_t;

typedef struct {
    uint32_t id;
    uint64_t time;
} record_t;

typedef struct {
    atomic_uint state;
    record_t record;
} slot_t;

static slot_t slots[2];

static status_t try_slot(slot_t *s, record_t *out, unsigned *seen)
{
#ifdef BROKEN
    *seen = atomic_load_explicit(&s->state, memory_order_relaxed);
#else
    *seen = atomic_load_explicit(&s->state, memory_order_acquire);
#endif
    if (*seen == 0)
        return AGAIN;
    if (*seen > 1)
        return BAD;
    *out = s->record;
    return FOUND;
}

static status_t try_any(record_t *out, int *which)
{
    unsigned seen;

    for (int i = 0; i < 2; i++) {
        status_t status = try_slot(&slots[i], out, &seen);

        if (status != AGAIN) {
            *which = i;
            return status;
        }
    }
    errno = EAGAIN;
    return AGAIN;
}

static record_t wait_for_any(void)
{
    record_t r;
    int which = -1;
    status_t status;

    while ((status = try_any(&r, &which)) == AGAIN && errno == EAGAIN)
        ;
    assert(status == FOUND && which >= 0);
    return r;
}

static void *put(void *arg)
{
    int i = (int)(intptr_t)arg;

    slots[i].record = (record_t){.id = 7u + (unsigned)i, .time = 100};
    atomic_store_explicit(&slots[i].state, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    record_t r;

    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, put, (void *)i);
    r = wait_for_any();
    assert(r.id >= 7 && r.time == 100);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
