/* SPDX-License-Identifier: MIT
 *
 * A processor that has definitions and axioms of its own, POWER, on a trace:
 * its texts, one after the other, as squares of bits.  Definitions that are
 * marked recursive grow together until nothing is new.  A thread's beginning
 * and end are to others what a sync is.
 */
#include <string.h>

#include "base/check.h"
#include "verify/processor_inside.h"

bool processor_has_lets(const struct run *x)
{
    return x->m->axioms->axioms != NULL;
}

static struct square square_of_text(struct run *x, const char *text)
{
    struct relation_tree t;
    size_t at;

    CHECK(relation_read(text, x->m->axioms->lets, &t, &at));
    return processor_evaluate(x, &t, (unsigned)t.count - 1);
}

/* False: nothing was new. */
static bool grow(struct run *x, size_t let)
{
    struct square s = square_of_text(x, x->m->axioms->lets[let].text);
    size_t size = x->all.count * x->all.words * sizeof *s.bits;

    square_join(&x->all, s, x->lets[let]);
    if (memcmp(s.bits, x->lets[let].bits, size) == 0)
        return false;
    x->lets[let] = s;
    return true;
}

/* The recursive ones from that on; how many. */
static size_t grow_together(struct run *x, size_t first)
{
    const struct relation_let *lets = x->m->axioms->lets;
    size_t end = first;
    bool grew = true;

    while (lets[end].name && lets[end].recursive)
        end++;
    while (grew) {
        grew = false;
        for (size_t i = first; i < end; i++)
            grew = grow(x, i) || grew;
    }
    return end - first;
}

void processor_fill_lets(struct run *x)
{
    const struct relation_let *lets = x->m->axioms->lets;
    size_t i;

    for (i = 0; lets[i].name; i++) {
        CHECK(i < LETS_MAX);
        x->lets[i] = square_new(&x->all);
    }
    for (i = 0; lets[i].name;) {
        if (lets[i].recursive) {
            i += grow_together(x, i);
            continue;
        }
        x->lets[i] = square_of_text(x, lets[i].text);
        if (strcmp(lets[i].name, "sync") == 0)
            processor_add_threads(x, x->lets[i]);
        i++;
    }
    x->ppo = square_of_text(x, "kept|fences");
}

bool processor_keeps_axioms(struct run *x, struct err *e)
{
    const struct relation_axiom *a = x->m->axioms->axioms;

    for (; a->name; a++) {
        struct square s = square_of_text(x, a->text);

        CHECK(a->test != RELATION_EMPTY_ALL);
        if (a->test == RELATION_ACYCLIC ? square_has_cycle(&x->all, s)
                                        : square_is_reflexive(&x->all, s))
            return err_set(e, "it breaks the axiom '%s'", a->name);
    }
    return true;
}
