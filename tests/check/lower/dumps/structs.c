/* SPDX-License-Identifier: MIT
 *
 * Structs on their way: by value in memory, in one register or two, out of a
 * pointer, into one, filled with zeroes.
 */
#include <stdlib.h>
#include <string.h>

struct large {
    long key;
    short at[2];
    struct large *next;
};

struct pair {
    int left, right;
    struct large *where;
};

struct small {
    short half;
    char byte;
};

static struct large shared;
static struct pair pairs[2];
static struct small small;

static long by_value(struct large l)
{
    l.key++;
    return l.key + l.at[1];
}

static struct pair in_registers(struct pair p, struct small s)
{
    p.left = s.half;
    return p;
}

static void fill(struct large *l)
{
    memset(l, 0, sizeof *l);
    l->key = 1;
}

int main(void)
{
    struct large *l = malloc(sizeof *l);

    fill(l);
    shared = *l;
    shared.key = by_value(*l);
    pairs[1] = in_registers(pairs[0], small);
    free(l);
    return 0;
}
