/* SPDX-License-Identifier: MIT
 *
 * Dependencies through registers: arithmetic, addresses, branches, selections,
 * RMWs and CAS.
 */
#include "expect.h"

static int x, y, z, table[4];
static int *pointer = &table[1];
static struct node {
    int value;
    struct node *next;
} second, first = {1, &second};
static const int squares[4] = {0, 1, 4, 9};

static void arithmetic(void)
{
    int r, s;

    BEGIN();
    r = LOAD(x);
    STORE(y, 3 * r + 1);
    EXPECT("data through arithmetic", .data = 1);

    BEGIN();
    r = LOAD(x);
    STORE(y, r ^ r);
    EXPECT("x ^ x keeps the dependency", .data = 1);

    BEGIN();
    r = LOAD(x);
    s = LOAD(y);
    STORE(z, r + s);
    EXPECT("data on two loads", .data = 3);

    BEGIN();
    r = LOAD(x);
    STORE(y, 1);
    EXPECT("no dependency on a load before it");

    BEGIN();
    r = LOAD(x);
    STORE(y, (int)((double)r * 0.5));
    EXPECT("data through casts and floating point", .data = 1);

    BEGIN();
    r = LOAD(x);
    r = 5;
    STORE(y, r);
    EXPECT("a register that is set again forgets");
}

static void addresses(void)
{
    int *p, r;
    struct node *n;

    BEGIN();
    r = LOAD(x);
    r = LOAD(table[r & 3]);
    EXPECT("addr to a load", .addr = 1);
    STORE(y, r);
    EXPECT("what it loads depends on it alone", .data = 2);

    BEGIN();
    r = LOAD(x);
    STORE(table[r & 3], 7);
    EXPECT("addr to a store", .addr = 1);

    BEGIN();
    p = LOAD(pointer);
    STORE(*p, *p + 1);
    EXPECT("addr and data through a pointer", .addr = 1, .data = 2);

    BEGIN();
    n = LOAD(first.next);
    r = LOAD(n->value);
    EXPECT("a field of what a pointer names", .addr = 1);

    BEGIN();
    r = LOAD(x);
    STORE(y, squares[r & 3]);
    EXPECT("a table of constants passes on, and its address comes first",
           .data = 1, .ctrl = 1);
}

static void branches(void)
{
    int r, s;

    BEGIN();
    r = LOAD(x);
    if (r == 0)
        STORE(y, 1);
    EXPECT("ctrl", .ctrl = 1);
    STORE(z, 1);
    EXPECT("ctrl past the join", .ctrl = 1);
    r = LOAD(z);
    EXPECT("ctrl to a load", .ctrl = 1);

    BEGIN();
    r = LOAD(x);
    s = LOAD(z);
    if (r == 0 && s >= 0)
        STORE(y, 1);
    EXPECT("ctrl by both sides of &&", .ctrl = 3);

    BEGIN();
    r = LOAD(x);
    switch (r) {
    case 0:
        STORE(y, 1);
        break;
    case 1:
        STORE(y, 2);
        break;
    default:
        break;
    }
    EXPECT("switch", .ctrl = 1);

    BEGIN();
    for (r = 0; r < 2; r++)
        STORE(y, r);
    EXPECT("a loop that counts");

    BEGIN();
    r = LOAD(x);
    for (s = r; s < r + 2; s++)
        STORE(y, s);
    EXPECT("a loop from a load to a load", .data = 1, .ctrl = 1);

    BEGIN();
    while (LOAD(x) != 0)
        ;
    STORE(y, 1);
    EXPECT("a loop that waits", .ctrl = 1);

    BEGIN();
    r = LOAD(x);
    s = r == 0 && r < 5;
    STORE(y, s);
    EXPECT("&& is computed", .data = 1);
}

static void selections(void)
{
    int r, s;

    BEGIN();
    r = LOAD(x);
    STORE(y, r ? 1 : 2);
    EXPECT("?: picks", .pick_data = 1);

    BEGIN();
    r = LOAD(x);
    s = LOAD(y);
    STORE(z, r == 0 ? s : 7);
    EXPECT("?: picks, and passes on what it picked", .data = 2, .pick_data = 1);

    BEGIN();
    r = LOAD(x);
    s = LOAD(y);
    STORE(z, r != 0 ? s : 7);
    EXPECT("?: does not pass on what it did not pick", .pick_data = 1);

    BEGIN();
    r = LOAD(x);
    s = LOAD(table[r ? 1 : 2]);
    EXPECT("?: in an address", .pick_addr = 1);
    STORE(y, s);
    EXPECT("picks pass through addresses into what is loaded", .data = 2,
           .pick_data = 1);

    BEGIN();
    r = LOAD(x);
    STORE(y, r ? 1 : 2);
    s = LOAD(y);
    STORE(z, s);
    EXPECT("picks pass through the thread's own store", .data = 4,
           .pick_data = 1);

    BEGIN();
    r = LOAD(x);
    s = r ? 1 : 2;
    if (s == 2)
        STORE(y, 1);
    EXPECT("a branch by what was picked", .pick_ctrl = 1);

    BEGIN();
    r = LOAD(x);
    s = 3;
    if (r)
        s = 4;
    STORE(y, 1);
    EXPECT("a branch that only sets a register is none");
    STORE(z, s);
    EXPECT("it picks", .pick_data = 1);
}

static void rmws(void)
{
    int r, s, expected;
    _Bool done;

    BEGIN();
    r = LOAD(x);
    s = __atomic_fetch_add(&y, r, __ATOMIC_RELAXED);
    EXPECT("data to an RMW", .data = 1);
    STORE(z, s);
    EXPECT("data from an RMW", .data = 2);

    STORE(y, 0);
    BEGIN();
    expected = 0;
    r = LOAD(x);
    done = __atomic_compare_exchange_n(&y, &expected, r + 5, 0,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    EXPECT("data to a CAS", .data = 1);
    STORE(z, 1);
    EXPECT("nobody asked whether the CAS succeeded");
    STORE(z, expected);
    EXPECT("what it expected is what it read");

    STORE(y, 1);
    BEGIN();
    expected = 0;
    done = __atomic_compare_exchange_n(&y, &expected, 5, 0, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
    STORE(z, expected);
    EXPECT("what a CAS found that failed", .data = 1);
    STORE(z, done);
    EXPECT("its flag", .data = 1);

    STORE(y, 0);
    BEGIN();
    expected = LOAD(x);
    done = __atomic_compare_exchange_n(&y, &expected, 5, 0, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
    EXPECT("what a CAS compares with picks", .pick_data = 1);
    if (done)
        STORE(z, 1);
    EXPECT("the flag depends on both", .ctrl = 3);

    STORE(y, 0);
    BEGIN();
    r = __atomic_exchange_n(&table[LOAD(x) & 3], 3, __ATOMIC_RELAXED);
    EXPECT("addr to an RMW", .addr = 1);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (r != 3) {
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        STORE(z, 1);
    }
    EXPECT("ctrl to what a fence precedes", .ctrl = 2);
}

static void *cases(void *unused)
{
    SHARE(x);
    SHARE(y);
    SHARE(z);
    SHARE(pointer);
    SHARE(first.value);
    SHARE(first.next);
    SHARE(second.value);
    for (int i = 0; i < 4; i++)
        SHARE(table[i]);
    arithmetic();
    addresses();
    branches();
    selections();
    rmws();
    return unused;
}

int main(void)
{
    return run(cases);
}
