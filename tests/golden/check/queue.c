/* A queue between a producer and a consumer: each value is 7. */
#include <fencer.h>
#include <stdlib.h>

#ifdef FENCED
#define FENCE(kind) fencer_fence_##kind()
#else
#define FENCE(kind) ((void)0)
#endif

struct node {
    int value;
    struct node *next;
};

static struct node *first, *last;

FENCER_INIT
{
    first = last = calloc(1, sizeof(*first));
}

FENCER_OP(e)
{
    struct node *n = calloc(1, sizeof(*n));

    n->value = 7;
    FENCE(ss);
    last->next = n;
#ifdef TOO_MANY
    fencer_fence_full();
#endif
    last = n;
    fencer_observe("e", 7);
}

FENCER_OP(d)
{
    struct node *n = first->next;
    int value = -1;

    if (n) {
        FENCE(ll);
        first = n;
        value = n->value;
    }
    fencer_observe("d", value);
}

FENCER_TEST(T0, "( e | d )");
FENCER_TEST(Ti, "e ( e | dd )");
