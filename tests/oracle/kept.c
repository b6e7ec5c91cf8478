/* SPDX-License-Identifier: MIT
 *
 * The rules of docs/models.md, for two accesses of a thread and the fences
 * between them.
 */
#include "kept.h"

/* An access as the model orders it. */
struct role {
    bool loads, writes, rmw, atomic;
    bool ghost; /* a register, i.e. a ghost, goes with it in an atomic block */
};

/* In an atomic block each access is an RMW of its address; Relaxed takes what
 * is in it as it is. */
static struct role role_of(enum model model, const struct step *s)
{
    bool both = s->block && model != CHECKFENCE;

    return (struct role){
        .loads = s->loads || both,
        .writes = s->writes || both,
        .rmw = s->rmw,
        .atomic = s->atomic,
        .ghost = s->ghost,
    };
}

static bool kept_on_tso(struct role x, struct role y, unsigned between)
{
    return x.loads || (x.writes && y.writes) || y.rmw ||
           (between & (SL | FULL));
}

static bool kept_on_pslo(struct role x, struct role y, bool same,
                         unsigned between)
{
    if (between & FULL)
        return true;
    if (x.loads && (y.writes || y.rmw))
        return true;
    if (x.writes && y.writes && (same || (between & SS)))
        return true;
    /* A CAS that fails writes nothing, but waits for its own address. */
    if (x.writes && y.rmw && same)
        return true;
    if (x.writes && y.loads && (between & SL))
        return true;
    return x.loads && y.loads && (same || (between & LL));
}

/* A ghost stays after earlier loads, and takes its block with it. */
static bool kept_on_relaxed(struct role x, struct role y, bool same,
                            unsigned between)
{
    bool loads = x.loads || x.ghost;
    unsigned kinds =
        (loads && y.loads ? LL : 0u) | (loads && y.writes ? LS : 0u) |
        (x.writes && y.loads ? SL : 0u) | (x.writes && y.writes ? SS : 0u);

    if ((between & (kinds | FULL)) || (loads && y.ghost))
        return true;
    return same && (y.writes || (x.loads && y.loads && x.atomic && y.atomic));
}

static bool kept(enum model model, const struct step *sx, const struct step *sy,
                 unsigned between)
{
    struct role x = role_of(model, sx), y = role_of(model, sy);
    bool same = sx->atom == sy->atom;

    switch (model) {
    case SC:
        return true;
    case TSO:
        return kept_on_tso(x, y, between);
    case PSO:
        return x.loads || kept_on_pslo(x, y, same, between);
    case PSLO:
        return kept_on_pslo(x, y, same, between);
    default:
        return kept_on_relaxed(x, y, same, between);
    }
}

/* Creating a thread waits for all stores; that later loads see what was there
 * before is PSLO's.  A thread that was waited for is over: nothing later comes
 * before that, but own stores may still wait. */
static bool kept_at_thread(enum model model, const struct step *x,
                           const struct step *y)
{
    bool waits = x->loads || x->rmw || x->kind != STEP_ACCESS;

    if (model == SC || model == CHECKFENCE || x->kind == STEP_JOIN ||
        y->kind == STEP_SPAWN)
        return true;
    if (y->kind == STEP_JOIN)
        return waits;
    return model != PSLO || y->writes || y->rmw;
}

void kept_relate(struct path *p, enum model model)
{
    for (size_t j = 0; j < p->count; j++) {
        unsigned between = 0;

        p->before[j] = 0;
        for (size_t i = j; i-- > 0;) {
            const struct step *x = &p->steps[i], *y = &p->steps[j];

            between |= p->steps[i + 1].fences;
            if (x->kind != STEP_ACCESS || y->kind != STEP_ACCESS
                    ? kept_at_thread(model, x, y)
                    : kept(model, x, y, between))
                p->before[j] |= 1u << i;
        }
    }
}
