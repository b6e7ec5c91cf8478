/* SPDX-License-Identifier: MIT
 *
 * Dependencies through calls, and through memory that only the thread knows.
 */
#include <stdarg.h>

#include "expect.h"

static int x, y, z, table[4];
static struct pair {
    int a, b;
} pair, other;
static struct large {
    long a[6];
} large;

static int twice(int v)
{
    return 2 * v;
}

static int first_of(int v, int unused)
{
    (void)unused;
    return v;
}

static int constant(int v)
{
    (void)v;
    return 1;
}

static int depth(int n, int v)
{
    return n ? depth(n - 1, v) : v;
}

static void through(int *out, int v)
{
    *out = v;
}

static struct pair make_pair(int a, int b)
{
    return (struct pair){a, b};
}

static struct large make_large(long a, long b)
{
    return (struct large){{a, 0, 0, 0, 0, b}};
}

static long sum(struct large l)
{
    return l.a[0] + l.a[5];
}

static int variable(int count, ...)
{
    va_list list;
    int all = 0;

    va_start(list, count);
    for (int i = 0; i < count; i++)
        all += va_arg(list, int);
    va_end(list);
    return all;
}

static int (*chosen[2])(int) = {twice, constant};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void)
{
    BEGIN();
    STORE(y, LOAD(x));
    EXPECT("in a function that the library calls", .data = 1);
}

static void calls(void)
{
    int r, s, local;
    int (*f)(int);
    struct pair p;
    struct large l;

    BEGIN();
    STORE(y, twice(LOAD(x)));
    EXPECT("through a call", .data = 1);

    BEGIN();
    r = LOAD(x);
    s = LOAD(z);
    STORE(y, first_of(r, s));
    EXPECT("the first of two arguments", .data = 1);
    STORE(y, first_of(s, r));
    EXPECT("and the other way", .data = 2);

    BEGIN();
    STORE(y, constant(LOAD(x)));
    EXPECT("what the function does not use");

    BEGIN();
    STORE(y, depth(3, LOAD(x)));
    EXPECT("through recursion", .data = 1);

    BEGIN();
    f = chosen[0];
    STORE(y, f(LOAD(x)));
    EXPECT("through a pointer to a function", .data = 1);

    BEGIN();
    r = LOAD(x);
    f = chosen[r & 1];
    STORE(y, f(4));
    EXPECT("which function decides as a branch does", .ctrl = 1);

    BEGIN();
    through(&local, LOAD(x));
    STORE(y, local);
    EXPECT("through a pointer to a local", .data = 1);

    BEGIN();
    r = LOAD(x);
    s = LOAD(z);
    p = make_pair(r, s);
    STORE(y, p.b);
    EXPECT("a struct that is returned in one register", .data = 3);

    BEGIN();
    r = LOAD(x);
    s = LOAD(z);
    l = make_large(r, s);
    STORE(y, (int)l.a[5]);
    EXPECT("a field of a struct that is returned in memory", .data = 2);

    BEGIN();
    r = LOAD(x);
    s = LOAD(z);
    STORE(y, variable(2, r, s));
    EXPECT("variable arguments: all of them, as a branch, too", .data = 3,
           .ctrl = 3, .pick_data = 3, .pick_ctrl = 3);

    BEGIN();
    r = LOAD(x);
    STORE(y, abs(r));
    EXPECT("a function of the library that computes", .data = 1);
}

static void private_memory(void)
{
    int array[4] = {0, 0, 0, 0}, *p = array, r, s;
    struct large l = {{0}};
    char text[8];

    BEGIN();
    r = LOAD(x);
    s = LOAD(z);
    p[1] = r;
    p[2] = s;
    STORE(y, p[1]);
    EXPECT("an element of an array of the thread's own", .data = 1);
    STORE(y, p[2]);
    EXPECT("its neighbour", .data = 2);
    p[1] = 5;
    STORE(y, p[1]);
    EXPECT("what is stored again is forgotten");

    BEGIN();
    r = LOAD(x);
    p[3] = 1;
    STORE(y, p[r & 3]);
    EXPECT("an index", .data = 1, .ctrl = 1);

    BEGIN();
    r = LOAD(x);
    p[r & 3] = 1;
    STORE(y, 1);
    EXPECT("a store to an index comes first", .ctrl = 1);
    p[0] = p[1] = p[2] = p[3] = 0;

    BEGIN();
    text[1] = (char)LOAD(x);
    text[2] = 'b';
    STORE(y, text[2]);
    EXPECT("bytes of one word are apart");
    STORE(y, text[1]);
    EXPECT("bytes of one word", .data = 1);

    BEGIN();
    l.a[5] = LOAD(x);
    STORE(y, (int)sum(l));
    EXPECT("a struct that is passed by value", .data = 1);
    l.a[5] = 0;
    STORE(y, (int)sum(l));
    EXPECT("the same without");
}

static void copies(void)
{
    int from[4] = {0}, to[4] = {0}, r, *heap;
    char text[4] = "", copy[4];
    struct pair p;

    BEGIN();
    from[2] = LOAD(x);
    memcpy(to, from, sizeof to);
    STORE(y, to[2]);
    EXPECT("memcpy of the thread's own memory", .data = 1);
    STORE(y, to[1]);
    EXPECT("bytes beside it");
    memset(to, 0, sizeof to);
    STORE(y, to[2]);
    EXPECT("memset forgets");

    BEGIN();
    p = pair;
    STORE(y, p.b);
    EXPECT("a struct that is loaded, member by member", .data = 2);

    BEGIN();
    p.a = 1;
    p.b = LOAD(x);
    pair = p;
    EXPECT("a struct that is stored, member by member", .data = 1);

    BEGIN();
    memcpy(to, &large, sizeof to);
    STORE(y, to[1]);
    EXPECT("memcpy to the thread's own memory", .data = 1);
    STORE(y, to[2]);
    EXPECT("its second piece", .data = 2);

    BEGIN();
    from[3] = LOAD(x);
    memcpy(&large, from, sizeof from);
    EXPECT("memcpy from the thread's own memory", .data = 1);

    BEGIN();
    other = pair;
    EXPECT("a struct that is copied", .data = 1);

    BEGIN();
    r = LOAD(x);
    memset(table, r, sizeof table);
    EXPECT("memset of shared memory", .data = 1);

    BEGIN();
    heap = malloc(2 * sizeof *heap);
    heap[0] = LOAD(x);
    heap[1] = 2;
    STORE(y, heap[0]);
    EXPECT("the heap of the thread's own", .data = 1);
    STORE(y, heap[1]);
    EXPECT("its neighbour");
    free(heap);

    BEGIN();
    pthread_once(&once, initialise);
    r = LOAD(z);
    STORE(y, r);
    EXPECT("after a function that the library calls",
           .data = 1ul << (__fencer_test_place() - place - 2));

    BEGIN();
    r = LOAD(x);
    from[0] = r;
    STORE(y, memcmp(from, to, 2 * sizeof *from));
    EXPECT("a function of the library that reads", .data = 1);

    BEGIN();
    text[0] = (char)('0' + LOAD(x));
    strcpy(copy, text);
    STORE(y, copy[0]);
    EXPECT("a function of the library that copies", .data = 1);
}

static void *cases(void *unused)
{
    SHARE(x);
    SHARE(y);
    SHARE(z);
    SHARE(pair.a);
    SHARE(pair.b);
    SHARE(other.a);
    SHARE(other.b);
    SHARE(*(long *)&table[0]);
    SHARE(*(long *)&table[2]);
    SHARE(large.a[0]);
    SHARE(large.a[1]);
    calls();
    private_memory();
    copies();
    return unused;
}

int main(void)
{
    return run(cases);
}
