/* SPDX-License-Identifier: MIT
 *
 * Locals that others know, in frames that die while stores to them are still
 * buffered.  Nothing here is wrong: it must run to its end on every model.
 */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>

struct pair {
    long a, b, c, d;
};

static int *_Atomic seen;
static struct pair *volatile last;
static jmp_buf out;

static int known(int n)
{
    int x, y[4];

    seen = &x;
    x = n;
    y[n & 3] = n + 1;
    seen = NULL;
    return y[n & 3];
}

/* The same memory, private now: return addresses, too. */
static int unknown(int n)
{
    int y[6] = {0};

    for (int i = 0; i < 6; i++)
        y[i] = n + i;
    return y[n % 6] - n;
}

static int by_value(struct pair p)
{
    last = &p;
    p.a = 5;
    p.d = 6;
    last = NULL;
    return (int)(p.a + p.d);
}

static void deep(int n)
{
    int x;

    seen = &x;
    x = n;
    if (n == 0)
        longjmp(out, 1);
    deep(n - 1);
}

static void *work(void *argument)
{
    (void)argument;
    for (int i = 0; i < 12; i++) {
        struct pair p = {i, i, i, i};

        assert(known(i) == i + 1);
        assert(unknown(i) == i % 6);
        assert(by_value(p) == 11);
        assert(p.a == i && p.d == i);
    }
    return NULL;
}

static void jumps(void)
{
    volatile int tries = 0;

    if (setjmp(out) == 0)
        deep(5);
    tries++;
    assert(unknown(4) == 4);
    assert(tries == 1);
    seen = NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    jumps();
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
