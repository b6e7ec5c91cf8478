/* SPDX-License-Identifier: MIT
 *
 * An object with a reference count; the last owner checks it and frees it.
 * -DBROKEN: the count is decremented relaxed, and the last owner may not see
 * what the others wrote.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct buffer {
    atomic_int refs;
    int used[2];
};

struct job {
    struct buffer *buf;
    int half;
};

static struct buffer *buffer_get(struct buffer *b)
{
    atomic_fetch_add_explicit(&b->refs, 1, memory_order_relaxed);
    return b;
}

static void buffer_put(struct buffer *b)
{
#ifdef BROKEN
    if (atomic_fetch_sub_explicit(&b->refs, 1, memory_order_relaxed) != 1)
        return;
#else
    if (atomic_fetch_sub_explicit(&b->refs, 1, memory_order_release) != 1)
        return;
    atomic_thread_fence(memory_order_acquire);
#endif
    assert(b->used[0] == 1 && b->used[1] == 1);
    free(b);
}

static void *fill(void *arg)
{
    struct job *j = arg;

    j->buf->used[j->half] = 1;
    buffer_put(j->buf);
    return NULL;
}

int main(void)
{
    struct buffer *b = calloc(1, sizeof *b);
    struct job jobs[2];
    pthread_t t[2];

    atomic_init(&b->refs, 1);
    for (int i = 0; i < 2; i++) {
        jobs[i] = (struct job){buffer_get(b), i};
        pthread_create(&t[i], NULL, fill, &jobs[i]);
    }
    buffer_put(b);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
