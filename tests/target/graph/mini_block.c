/* SPDX-License-Identifier: MIT
 *
 * Atomic blocks of the small programs: what a block touches is announced once,
 * what it leaves when it ends.
 */
#include <string.h>

#include "mini_inside.h"
#include "model/model.h"

/* ---- Running ---- */

void mini_answer_block(struct place *at, const struct op *op, uint64_t value)
{
    struct mini_block *k = &at->block;

    if (op->kind == OP_PUT) {
        k->put++;
        return;
    }
    k->parts[k->count].location = op->location;
    k->parts[k->count].value = value;
    k->parts[k->count++].written = false;
}

static int part_at(const struct mini_block *k, unsigned location)
{
    for (unsigned i = 0; i < k->count; i++)
        if (k->parts[i].location == location)
            return (int)i;
    return -1;
}

static void note_reach(struct mini_run *r, unsigned thread,
                       const struct mini_block *k, unsigned location)
{
    struct graph_reach *to = &r->reach[thread][k->begin][location];
    uint8_t part = (uint8_t)(k->count + 1);

    if (to->first && to->first <= part && part <= to->last)
        return;
    r->grew = r->grew || r->asked;
    if (!to->first || part < to->first)
        to->first = part;
    if (part > to->last)
        to->last = part;
}

static void touch(struct mini_run *r, unsigned thread, struct place *at,
                  unsigned location, struct op *op)
{
    note_reach(r, thread, &at->block, location);
    *op = (struct op){.kind = OP_ATOMIC,
                      .order = ORDER_RELAXED,
                      .size = 8,
                      .cuts = 1,
                      .location = (uint16_t)location,
                      .part = (uint16_t)at->block.count,
                      .site = 1000 + thread * 100 + at->block.begin};
}

/* It ends: what it wrote, part by part. */
static bool put_next(struct place *at, struct op *op)
{
    struct mini_block *k = &at->block;

    while (k->put < k->count && !k->parts[k->put].written)
        k->put++;
    if (k->put == k->count) {
        k->on = false;
        return false;
    }
    *op = (struct op){.kind = OP_PUT,
                      .size = 8,
                      .location = (uint16_t)k->parts[k->put].location,
                      .part = (uint16_t)k->put,
                      .operand = k->parts[k->put].value};
    return true;
}

static void access(const struct mini_code *c, struct place *at, int part)
{
    uint64_t *value = &at->block.parts[part].value;
    uint64_t operand = mini_value_of(at, c->first);

    if (c->kind == MINI_LOAD || c->kind == MINI_ADD)
        at->registers[c->to] = *value;
    if (c->kind == MINI_LOAD)
        return;
    *value = c->kind == MINI_ADD ? *value + operand : operand;
    at->block.parts[part].written = true;
}

bool mini_run_block(struct mini_run *r, unsigned thread, struct place *at,
                    struct op *op, bool *done)
{
    const struct mini *p = r->program;
    const struct mini_code *c = &p->code[thread][at->pc];
    unsigned location;
    int part;

    *done = true;
    if (!at->block.on && at->pc < p->length[thread] && c->kind == MINI_BLOCK) {
        memset(&at->block, 0, sizeof at->block);
        at->block.on = true;
        at->block.begin = at->pc++;
        at->block.end = at->pc + c->count;
        return false;
    }
    if (at->block.on && at->pc >= at->block.end)
        return put_next(at, op);
    if (!at->block.on || c->kind > MINI_ADD) {
        *done = false;
        return false;
    }
    location = c->location + (c->index ? at->registers[c->index - 1] & 1 : 0);
    location %= p->locations;
    part = part_at(&at->block, location);
    if (part < 0) {
        touch(r, thread, at, location, op);
        return true;
    }
    access(c, at, part);
    at->pc++;
    return false;
}

/* ---- What a block may touch ---- */

int mini_reaches(const struct behaviour *b, behaviour_node node,
                 struct graph_reach *to)
{
    struct mini_run *r = b->context;
    const struct graph_reach *from =
        r->reach[behaviour_thread(b, node)][r->places[node.ix].block.begin];
    int count = 0;

    r->asked = true;
    for (unsigned l = 0; l < r->program->locations; l++)
        if (from[l].first)
            to[count++] =
                (struct graph_reach){(uint16_t)l, (uint8_t)(from[l].first - 1),
                                     (uint8_t)(from[l].last - 1)};
    return count;
}

bool mini_grew(const struct behaviour *b)
{
    struct mini_run *r = b->context;
    bool grew = r->grew;

    r->grew = r->asked = false;
    return grew;
}

/* ---- Random programs ---- */

/* Neither more than a block can touch, nor what it cannot do. */
static bool fits_block(const struct mini *p, const struct mini_code *c,
                       unsigned count)
{
    unsigned touched = 0;

    for (unsigned i = 0; i < count; i++) {
        if (c[i].kind > MINI_ADD && c[i].kind != MINI_SKIP &&
            c[i].kind != MINI_ASSUME && c[i].kind != MINI_ASSUME_NOT)
            return false;
        touched += c[i].kind <= MINI_ADD;
    }
    return touched && (touched <= MINI_PARTS || p->locations <= MINI_PARTS);
}

/* What was read last before that instruction; 0: nothing. */
static unsigned register_before(const struct mini_code *c, unsigned count,
                                unsigned at)
{
    for (unsigned i = at; i-- > 0 && i < count;)
        if (c[i].kind == MINI_LOAD || c[i].kind == MINI_ADD)
            return c[i].to + 1;
    return 0;
}

static void make_block(struct mini *p, unsigned t, unsigned at, unsigned count,
                       struct random *r)
{
    struct mini_code *c = &p->code[t][at];

    for (unsigned i = 0; i < count; i++) {
        if (c[i].parts)
            c[i].first.add &= 15; /* of its first part */
        c[i].parts = 0;
        if (c[i].kind <= MINI_ADD && random_below(r, 3) == 0)
            c[i].index = register_before(c, count, i);
    }
    memmove(c + 1, c, (p->length[t] - at) * sizeof *c);
    p->length[t]++;
    *c = (struct mini_code){
        .kind = MINI_BLOCK, .count = count, .to = MINI_REGISTERS - 1};
}

/* Some of its instructions become blocks. */
static void group(struct mini *p, unsigned t, struct random *r)
{
    for (unsigned at = 0; at < p->length[t]; at++) {
        unsigned count = 1 + random_below(r, 4);

        if (count > p->length[t] - at)
            count = p->length[t] - at;
        if (random_below(r, 3) == 0 || p->length[t] + 1 >= MINI_CODE ||
            !fits_block(p, &p->code[t][at], count))
            continue;
        make_block(p, t, at, count, r);
        at += count;
    }
}

void mini_random_blocks(struct mini *p, unsigned accesses, struct random *r)
{
    if (random_below(r, 4) == 0)
        mini_random_bundles(p, accesses, r);
    else
        mini_random(p, accesses, r);
    p->big = false;
    p->bundles = p->blocks = true;
    for (unsigned t = 0; t < p->threads; t++)
        group(p, t, r);
}
