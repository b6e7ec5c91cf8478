/* SPDX-License-Identifier: MIT
 *
 * Structs by value and by address, arrays, initial values, pointers to
 * functions, marks in pointers, bit-fields, the heap.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "see.h"

struct small {
    int a;
    _Bool b;
};

struct pair {
    long x;
    struct pair *next;
};

struct large {
    int at[3];
    struct small s;
    long sum;
    char name[4];
};

static struct large global = {{1, 2, 3}, {4, 1}, 5, "abc"};
static struct large zero;
static struct pair ring[3] = {{10, &ring[1]}, {20, &ring[2]}, {30, &ring[0]}};
static long *const inside = &ring[1].x;
static const short table[2][3] = {{1, -2, 3}, {-4, 5, -6}};

static struct small make_small(int a)
{
    struct small s = {a, a > 3};

    return s;
}

/* Its `a` is never set, which must not spoil its `b`. */
static struct small make_half(_Bool b)
{
    struct small s;

    s.b = b;
    return s;
}

static int take_small(struct small s)
{
    return s.b ? s.a : -s.a;
}

static struct pair make_pair(long x, struct pair *next)
{
    return (struct pair){x, next};
}

static struct large change(struct large l)
{
    l.at[1] *= 2;
    l.sum += l.at[0] + l.at[1] + l.at[2] + take_small(l.s);
    l.name[0] = 'z';
    return l;
}

static void see_large(const struct large *l)
{
    for (int i = 0; i < 3; i++)
        SEE(l->at[i]);
    SEE(l->s.a);
    SEE(l->s.b);
    SEE(l->sum);
    for (int i = 0; i < 4; i++)
        SEE(l->name[i]);
}

static void structs(void)
{
    struct large l = change(global), copy;
    struct small s = make_small(5);
    struct pair p = make_pair(7, &ring[2]);

    see_large(&l);
    see_large(&global);
    copy = l;
    memcpy(&zero, &copy, sizeof zero);
    see_large(&zero);
    memset(&zero, 0, sizeof zero);
    see_large(&zero);
    SEE(take_small(s));
    SEE(take_small(make_small(2)));
    SEE(make_half(1).b);
    s = make_half(0);
    SEE(s.b);
    SEE(p.x + p.next->x + p.next->next->x);
    SEE(*inside);
}

static void arrays(void)
{
    int a[8];
    int *end = a + 8;

    for (int *p = a; p < end; p++)
        *p = (int)(p - a) * 3;
    memmove(a + 1, a, 4 * sizeof *a);
    for (int i = 0; i < 8; i++)
        SEE(a[i]);
    SEE(end - a);
    for (int i = 0; i < 2; i++)
        for (int k = 2; k >= 0; k--)
            SEE(table[i][k]);
}

static int twice(int x)
{
    return 2 * x;
}

static int square(int x)
{
    return x * x;
}

static void functions(void)
{
    static int (*const all[])(int) = {twice, square, twice};
    int (*f)(int) = square;

    for (unsigned i = 0; i < 3; i++)
        SEE(all[i](5));
    SEE(f(4));
    SEE(f == square);
    SEE(f == twice);
}

/* Harris' mark: the lowest bit of a pointer. */
static void marks(void)
{
    uintptr_t marked = (uintptr_t)&ring[1] | 1;
    struct pair *clean = (struct pair *)(marked & ~(uintptr_t)1);

    SEE(marked & 1);
    SEE(clean == &ring[1]);
    SEE((struct pair *)marked == &ring[1]);
    SEE(clean->x);
    SEE((marked ^ 1) == (uintptr_t)&ring[1]);
}

static void bits(void)
{
    struct {
        unsigned low : 3, high : 5;
        int sign : 4;
    } f = {0};

    f.low = 6;
    f.high = 21;
    f.sign = -3;
    SEE(f.low);
    SEE(f.high);
    SEE(f.sign);
    f.low++;
    f.low++;
    SEE(f.low);
    SEE(f.high);
}

static void heap(void)
{
    struct pair *list = NULL;
    long sum = 0;

    for (int i = 0; i < 4; i++) {
        struct pair *p = malloc(sizeof *p);

        *p = (struct pair){i, list};
        list = p;
    }
    while (list) {
        struct pair *next = list->next;

        sum = 10 * sum + list->x;
        free(list);
        list = next;
    }
    SEE(sum);

    long *zeroes = calloc(2, sizeof *zeroes);

    SEE(zeroes[1]);
    free(zeroes);
}

SHOW
{
    structs();
    arrays();
    functions();
    marks();
    bits();
    heap();
}
