/* SPDX-License-Identifier: MIT
 *
 * Going back where an access has several parts, a bundle.
 *
 * A new write may become the source of some parts of an older read; the others
 * then read anything that is kept.  That reaches every graph where one of the
 * read's sources has all those in its prefix that are younger than the read.
 *
 * For a read of sources a, b, ..., neither of which has another in its prefix,
 * the first of these, by the first part that reads it, *claims* its parts: what
 * it needs is kept, and the read waits, with its thread, without any place in
 * the order.  The next one keeps what is claimed, and so on; the last completes
 * the read.  So the claims come in one order, whatever the schedule is, and the
 * youngest write and who reads it still tell from which graph another comes:
 * all that is younger than the read and in no prefix of its sources was as the
 * search would have added it.  (To let the last one choose the others among all
 * that is there would not do: each could be the last.)  What still waits at the
 * end is no execution.
 *
 * The parts of an atomic block depend on the values that it reads, so a revisit
 * may give it other parts; and also a block that does not touch what the new
 * write writes may do so then.  What is claimed are locations: which parts they
 * are, and whether the claims came in the order of these parts, is known when
 * the read is complete.  Only locations are claimed that some execution of the
 * block touched so far (graph_search.reaches); when there is one more the
 * search begins again.
 */
#include "graph/graph_revisit.h"

#include "event/must.h"

/* A location of the read that has its source. */
struct claim {
    unsigned location;
    bool ghost;
    int source;
    int who; /* number of the write that claimed it, from 0 */
};

struct bundle_revisit {
    struct walk *walk;
    int level;
    struct revisit v;
    row kept;  /* that is older than the read, or needed */
    row taken; /* writes that claimed their parts: no other part reads them */
    int claim_count, claimers;
    struct claim claims[OP_PARTS_MAX];
    /* The read as it is to be. */
    struct unfolding u;
    struct graph_parts parts;
    int sources[OP_PARTS_MAX], after[OP_PARTS_MAX];
    /* What it may touch. */
    int reach_count;
    struct graph_reach reach[GRAPH_REACH_MAX];
};

static const struct graph *graph_of(const struct bundle_revisit *x)
{
    return &x->walk->levels[x->level];
}

/* ---- The new write ---- */

static int write_count(const struct new_write *n)
{
    return n->puts ? n->puts->count : 1;
}

static unsigned write_location(const struct new_write *n, int i)
{
    return n->puts ? n->puts->location[i] : n->op->location;
}

static uint64_t write_value(const struct new_write *n, int i)
{
    return n->puts ? n->puts->value[i] : n->value;
}

/* Which of its parts is there; NONE. */
static int write_at(const struct new_write *n, unsigned location)
{
    for (int i = 0; i < write_count(n); i++)
        if (write_location(n, i) == location)
            return i;
    return NONE;
}

/* Every place of every part of the write, from part i on. */
static void try_places(struct bundle_revisit *x, int i)
{
    const struct graph *g = graph_of(x);
    const struct new_write *write = x->v.write;
    row whole = g->complete & x->v.keep & ~graph_bundle(g, x->v.read);
    unsigned location;

    if (i == write_count(write) || write->read != NONE) {
        revisit_try(x->walk, x->level, &x->v);
        return;
    }
    location = write_location(write, i);
    for (int at = INITIAL; at != NONE;
         at = revisit_next_kept(g, at, location, x->v.keep)) {
        x->after[i] = at;
        if (!row_any(graph_readers(g, at, location) & whole))
            try_places(x, i + 1);
    }
}

/* The read has all its parts, and their sources. */
static void try_parts(struct bundle_revisit *x, bool claims)
{
    const struct graph *g = graph_of(x);
    bool bundle = row_has(g->bundles, x->v.read);

    if (!walk_fits_parts(x->walk, x->level, x->parts.count))
        return;
    x->v.claims = claims;
    x->v.parts = bundle ? &x->parts : NULL;
    x->v.grows = x->parts.count - g->events[x->v.read].parts;
    try_places(x, 0);
}

/* ---- The read is complete ---- */

static void put_part(struct bundle_revisit *x, int i, unsigned location,
                     bool ghost, int source)
{
    MUST(i < OP_PARTS_MAX);
    x->parts.count = i + 1;
    x->parts.location[i] = (uint16_t)location;
    x->parts.ghost[i] = ghost;
    x->sources[i] = source;
}

static const struct claim *claim_at(const struct bundle_revisit *x,
                                    unsigned location)
{
    for (int i = 0; i < x->claim_count; i++)
        if (x->claims[i].location == location)
            return &x->claims[i];
    return NULL;
}

/* What the parts so far read: how many claims, of how many writes; and the new
 * write, which comes after all these. */
struct sources_so_far {
    int claims, claimers;
    bool new;
};

static void choose_sources(struct bundle_revisit *x, int i,
                           struct sources_so_far so_far);

static void choose_source(struct bundle_revisit *x, int i, unsigned location,
                          int source, struct sources_so_far so_far)
{
    const struct new_write *n = x->v.write;

    put_part(x, i, location, unfold_is_ghost(&x->u, i), source);
    unfold_value(&x->u, i,
                 source == NEW
                     ? write_value(n, write_at(n, location))
                     : walk_value(x->walk, graph_of(x), source, location));
    choose_sources(x, i + 1, so_far);
}

/* The order of claims is that of the first parts that read each. */
static void choose_claimed(struct bundle_revisit *x, int i,
                           const struct claim *c, struct sources_so_far so_far)
{
    bool first = c->who == so_far.claimers;

    if (c->who > so_far.claimers || (first && so_far.new))
        return;
    so_far.claims++;
    so_far.claimers += first;
    choose_source(x, i, c->location, c->source, so_far);
}

/* Every source of every part of the read, from part i on. */
static void choose_sources(struct bundle_revisit *x, int i,
                           struct sources_so_far so_far)
{
    const struct graph *g = graph_of(x);
    int location = unfold_part(&x->u, i), source;
    const struct claim *c;

    if (location == NONE) {
        x->parts.count = i;
        if (so_far.new && so_far.claims == x->claim_count)
            try_parts(x, false);
        return;
    }
    c = claim_at(x, (unsigned)location);
    if (c) {
        choose_claimed(x, i, c, so_far);
        return;
    }
    choose_source(x, i, (unsigned)location, INITIAL, so_far);
    if (location < (int)g->location_count)
        ROW_EACH (source, g->writes[location] & x->kept & ~x->taken)
            choose_source(x, i, (unsigned)location, source, so_far);
    if (so_far.claimers == x->claimers &&
        write_at(x->v.write, (unsigned)location) != NONE) {
        so_far.new = true;
        choose_source(x, i, (unsigned)location, NEW, so_far);
    }
}

/* ---- It waits for others ---- */

/* What the operation at the node may touch. */
static int reach_of(const struct walk *w, behaviour_node node,
                    struct graph_reach *to)
{
    const struct graph_search *s = w->search;
    const struct op *op = behaviour_op(s->behaviour, node);

    if (op->kind == OP_ATOMIC)
        return s->reaches(s->context, node, to);
    for (int i = 0; i < (int)op_parts(op); i++)
        to[i] = (struct graph_reach){(uint16_t)(op->location + i), (uint8_t)i,
                                     (uint8_t)i};
    return (int)op_parts(op);
}

static const struct graph_reach *reach_at(const struct bundle_revisit *x,
                                          unsigned location)
{
    for (int i = 0; i < x->reach_count; i++)
        if (x->reach[i].location == location)
            return &x->reach[i];
    return NULL;
}

/* The first part that the last claim may be, at the earliest; -1: there is no
 * claim. */
static int floor_of(const struct bundle_revisit *x)
{
    int floor = -1;

    for (int i = 0; i < x->claim_count; i++) {
        const struct graph_reach *r = reach_at(x, x->claims[i].location);

        if (x->claims[i].who + 1 == x->claimers && r &&
            (floor < 0 || r->first < floor))
            floor = r->first;
    }
    return floor;
}

static bool is_claimed_now(const struct bundle_revisit *x, unsigned location)
{
    for (int i = 0; i < x->parts.count; i++)
        if (x->parts.location[i] == location)
            return true;
    return false;
}

/* Can the new write, which claims parts from x->claim_count on, come after the
 * last claim; and is there something after it for another? */
static bool is_of_use(const struct bundle_revisit *x)
{
    int first = OP_PARTS_MAX, last = OP_PARTS_MAX;

    for (int i = x->claim_count; i < x->parts.count; i++) {
        const struct graph_reach *r = reach_at(x, x->parts.location[i]);

        first = r->first < first ? r->first : first;
        last = r->last < last ? r->last : last;
    }
    if (last <= floor_of(x))
        return false;
    for (int i = 0; i < x->reach_count; i++)
        if (x->reach[i].last > first &&
            !is_claimed_now(x, x->reach[i].location))
            return true;
    return false;
}

static bool is_ghost_at(const struct bundle_revisit *x, unsigned location)
{
    const struct graph_search *s = x->walk->search;

    return x->u.op->kind == OP_ATOMIC ? s->is_ghost(s->context, location)
                                      : x->u.op->ghost;
}

/* Every set of locations, from that of the write's part k on, that it may
 * claim; `count` parts have been put. */
static void choose_claims(struct bundle_revisit *x, int k, int count)
{
    const struct new_write *n = x->v.write;
    unsigned location;

    if (k == write_count(n)) {
        x->parts.count = count;
        if (count > x->claim_count && is_of_use(x))
            try_parts(x, true);
        return;
    }
    choose_claims(x, k + 1, count);
    location = write_location(n, k);
    if (count == OP_PARTS_MAX || claim_at(x, location) ||
        !reach_at(x, location))
        return;
    put_part(x, count, location, is_ghost_at(x, location), NEW);
    choose_claims(x, k + 1, count + 1);
}

static void put_claims(struct bundle_revisit *x)
{
    x->parts.count = 0;
    for (int i = 0; i < x->claim_count; i++)
        put_part(x, i, x->claims[i].location, x->claims[i].ghost,
                 x->claims[i].source);
}

/* ---- One read ---- */

static bool can_go(const struct graph *g, row gone, row prefix)
{
    int e;

    ROW_EACH (e, gone)
        if (!revisit_is_maximal(g, e, prefix))
            return false;
    return true;
}

/* Claims are numbered as they came. */
static void number_claims(struct bundle_revisit *x)
{
    const struct graph *g = graph_of(x);
    row firsts = row_none();

    for (int i = 0; i < x->claim_count; i++)
        firsts |=
            row_of(x->claims[i].source - g->events[x->claims[i].source].part);
    for (int i = 0; i < x->claim_count; i++) {
        struct claim *c = &x->claims[i];

        c->who = row_rank(firsts, c->source - g->events[c->source].part);
    }
    x->claimers = row_count(firsts);
}

/* What claimed parts of the read is kept; false: the new write needs it, and so
 * is no other source. */
static bool keep_claims(struct bundle_revisit *x, row *prefix)
{
    const struct graph *g = graph_of(x);
    const struct node_event *e = &g->events[x->v.read];
    row needed = *prefix;

    x->taken = row_none();
    x->claim_count = 0;
    for (int i = 0; row_has(g->claims, x->v.read) && i < e->parts; i++) {
        if (row_has(needed, e[i].rf))
            return false;
        x->claims[x->claim_count++] =
            (struct claim){.location = e[i].location,
                           .ghost = row_has(g->ghosts, x->v.read + i),
                           .source = e[i].rf};
        x->taken |= graph_bundle(g, e[i].rf);
        *prefix |= graph_prefix(g, e[i].rf);
    }
    number_claims(x);
    return true;
}

/* May it touch what the new write writes? */
static bool may_read_new(const struct bundle_revisit *x)
{
    const struct new_write *n = x->v.write;

    for (int i = 0; i < write_count(n); i++)
        if (reach_at(x, write_location(n, i)))
            return true;
    return false;
}

static void revisit_bundle(struct bundle_revisit *x, row prefix, row rivals)
{
    const struct graph *g = graph_of(x);
    behaviour_node before = g->events[x->v.read].before;
    row me = graph_bundle(g, x->v.read), gone;

    x->reach_count = reach_of(x->walk, before, x->reach);
    if (!may_read_new(x) || !keep_claims(x, &prefix))
        return;
    x->kept = row_below(x->v.read) | prefix;
    x->v.keep = x->kept | me;
    gone = row_below(g->count) & ~x->kept & ~g->fixed & ~(me & g->claims);
    if (row_any(rivals & x->v.keep & ~me) || !can_go(g, gone, prefix))
        return;
    x->u = unfold(x->walk, before);
    choose_sources(x, 0, (struct sources_so_far){0, 0, false});
    if (!row_has(g->bundles, x->v.read))
        return;
    put_claims(x);
    choose_claims(x, 0, x->claim_count);
}

/* ---- All of them ---- */

/* Reads of what the write touches, if one of the two is a bundle; and all
 * blocks. */
static row bundle_reads(const struct graph *g, const struct new_write *n)
{
    row all = row_none();

    for (int i = 0; i < write_count(n); i++)
        all |= g->reads[write_location(n, i)];
    return (n->puts ? all : all & g->bundles) | g->claims | g->blocks;
}

void revisit_bundles(struct walk *w, int level, const struct new_write *write,
                     row rivals)
{
    const struct graph *g = &w->levels[level];
    struct bundle_revisit x = {.walk = w, .level = level};
    row prefix = revisit_prefix(g, write);
    row reads = bundle_reads(g, write) & ~prefix;

    if (row_any(rivals))
        reads &= row_below(row_first(rivals) + 1);
    while (row_any(reads) && !w->search->stop) {
        int read = row_last(reads);

        read -= g->events[read].part;
        reads &= ~graph_bundle(g, read);
        x.v = (struct revisit){.write = write,
                               .read = read,
                               .after = x.after,
                               .sources = x.sources};
        revisit_bundle(&x, prefix, rivals);
    }
}
