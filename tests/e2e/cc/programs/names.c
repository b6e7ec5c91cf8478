/* SPDX-License-Identifier: MIT
 *
 * What accesses are called.  A comment at the end of a line says what the
 * site table must hold ("site FUNCTION KIND SIZE NAME"), or what it must not.
 */
#include <pthread.h>
#include <stddef.h>
#include <string.h>

struct node {
    int value, value1;
    struct node *next;
};
typedef struct {
    struct node *head, *tail;
    union {
        int narrow;
        long wide;
    };
    struct {
        int x, y;
    } at[4];
    unsigned low : 3, high : 5;
} queue;
struct outer {
    int list[20];
    queue inner;
};

queue q; /* global q 64 0 head;8 tail;16 narrow;16 wide;24 at;56 low;56 high; */
struct outer o;
int grid[3][4];
static int plain;
__thread int own, given;
int *pointer = &plain;
struct node *table[10];
static struct {
    int up, down;
} pairs[2]; /* a type without any name, and two of one size */
static struct {
    int left, right;
} sides[2];

void direct(void)
{
    static int local;

    plain = 1;           /* site direct store 4 plain */
    local = 2;           /* site direct store 4 local */
    grid[1][2] = 3;      /* site direct store 4 grid[1][2] */
    o.list[19] = 4;      /* site direct store 4 o.list[19] */
    o.list[0] = 4;       /* site direct store 4 o.list[0] */
    q.wide = 5;          /* site direct store 8 q.wide */
    q.narrow = 5;        /* site direct store 4 q.narrow */
    o.inner.at[2].y = 6; /* site direct store 4 o.inner.at[2].y */
    *pointer =
        7;     /* site direct load 8 pointer | site direct store 4 *pointer */
    own = 8;   /* no direct store 4 own */
    given = 9; /* site direct store 4 given */
}

void through(queue *p, struct node **list, int i)
{
    struct node *n = p->tail; /* site through load 8 p->tail */

    if (n)
        n->value1 = 1;        /* site through store 4 n->value1 */
    p->high = 2;              /* site through store 1 p->high */
    p->at[i].y = 3;           /* site through store 4 p->at[i].y */
    p->wide = 4;              /* site through store 8 p->wide */
    list[i + 1] = n;          /* site through store 8 list[i + 1] */
    if (list[0])              /* site through load 8 list[0] */
        list[0]->next = NULL; /* site through store 8 list[0]->next */
}

static void fill(int *out)
{
    *out = 5;
} /* no fill store */
static void keep(int **out, int *what)
{
    *out = what;
}

int locals(void)
{
    int array[4], total = 0, passed, kept;
    int *where;

    for (int i = 0; i < 4; i++)
        array[i] = i; /* no locals store 4 array[i] */
    fill(&passed);    /* no locals load 4 passed */
    keep(&where, &kept);
    kept = 1; /* site locals store 4 kept */
    for (int i = 0; i < 4; i++)
        total += array[i];
    return total + passed;
}

void copies(struct outer *p)
{
    struct outer mine = *p; /* site copies load 144 *p */

    o = mine;                       /* site copies store 144 o */
    memset(&q.at, 0, sizeof(q.at)); /* site copies store 32 q.at */
}

static void *start(void *argument)
{
    *(int **)argument = &given;
    return NULL;
}

void nameless(int i)
{
    pairs[i].down = 1;           /* site nameless store 4 pairs[i].down */
    sides[i].right = 2;          /* site nameless store 4 sides[i].right */
    pairs[i].down = pairs[i].up; /* site nameless load 4 pairs[i].up */
    sides[i].right = 3;          /* site nameless store 4 sides[i].right */
} /* no nameless store 4 pairs[i].down7 | no nameless store 4 sides[i].right10
   */

int main(void)
{
    pthread_t t;
    int *place;

    direct();
    through(&q, table, 1);
    pthread_create(&t, NULL, start, &place); /* site main call 0 start */
    pthread_join(t, NULL);
    copies(&o);
    nameless(1);
    return locals() == 11 ? 0 : 1;
}
