/* SPDX-License-Identifier: MIT
 *
 * The monitors by name, and the way of a happening to each of them: as an
 * operation on cells (op.h, cells.h), checked and done by each model
 * (relaxed.h) before happens-before (past.h) and the cells themselves learn of
 * it.
 *
 * While one thread is alone, because it has made no other yet or has joined
 * them all, nobody can see an order, and all that it does comes before whatever
 * follows: nothing is noted then, and what was noted is forgotten.  A thread
 * that is alone because others have ended is not alone in another execution of
 * the same trace.
 */
#include "monitor/monitor.h"

#include <string.h>

#include "monitor/cells.h"
#include "monitor/op.h"
#include "monitor/past.h"
#include "monitor/relaxed.h"

static const struct {
    const char *name;
    const struct model *model;
    bool needs_all;
} table[MONITOR_COUNT] = {
    [MONITOR_TSO] = {"tso", &model_tso, false},
    [MONITOR_PSO] = {"pso", &model_pso, false},
    [MONITOR_PSLO] = {"pslo", &model_pslo, false},
    [MONITOR_SOBER] = {"sober", &model_tso, false},
    [MONITOR_TSO_CLOCKS] = {"tso-clocks", &model_tso, false},
    [MONITOR_BURNIM_TSO] = {"burnim-tso", &model_tso, true},
    [MONITOR_BURNIM_PSO] = {"burnim-pso", &model_pso, true},
};

#define VIEW_KINDS (1u << MONITOR_TSO | 1u << MONITOR_PSO | 1u << MONITOR_PSLO)
#define BLOCK_MAX 64 /* accesses */

static struct relaxed relaxed[] = {
    [MONITOR_TSO] = {.model = &model_tso},
    [MONITOR_PSO] = {.model = &model_pso},
    [MONITOR_PSLO] = {.model = &model_pslo},
};

/* This execution. */
static struct {
    uint32_t kinds;  /* asked for */
    uint32_t active; /* and still interested: they have not reported */
    uint32_t reported;
    uint32_t doubts;   /* of all */
    bool together;     /* there are threads that nobody has joined */
    uint32_t unjoined; /* how many */
    uint32_t number;   /* of the happening */
    uint32_t threads;  /* that did something, at most */
    uint32_t index[MONITOR_THREADS_MAX];
    struct op op;
    /* The block that is under way. */
    uint32_t block_count;
    uint32_t block_index[BLOCK_MAX];
    struct happening block[BLOCK_MAX];
} now;

/* Calls for each view monitor that is interested. */
#define EACH_RELAXED(m)                                                        \
    for (struct relaxed *m = relaxed; m < relaxed + 3; m++)                    \
        if (now.active >> (m - relaxed) & 1)

/* ---- By name ---- */

const char *monitor_name(enum monitor_kind kind)
{
    return table[kind].name;
}

enum monitor_kind monitor_find(const char *name)
{
    enum monitor_kind k = 0;

    while (k < MONITOR_COUNT && strcmp(table[k].name, name) != 0)
        k++;
    return k;
}

const struct model *monitor_model(enum monitor_kind kind)
{
    return table[kind].model;
}

bool monitor_needs_all(enum monitor_kind kind)
{
    return table[kind].needs_all;
}

/* ---- Room ---- */

static void cell_made(uint16_t new)
{
    past_cell(new);
    EACH_RELAXED(m)
    relaxed_cell(m, new);
}

static void cell_split(uint16_t old, uint16_t new)
{
    past_split(old, new);
    EACH_RELAXED(m)
    relaxed_split(m, old, new);
}

bool monitor_map(uint32_t kinds)
{
    if (!kinds)
        return true;
    op_prepare();
    cells_tell(cell_made, cell_split);
    if (!cells_map() || !past_map())
        return false;
    for (uint32_t i = 0; i < 3; i++)
        if (kinds >> i & 1 && !relaxed_map(&relaxed[i]))
            return false;
    return true;
}

void monitor_begin(uint32_t kinds)
{
    now.kinds = now.active = kinds;
    now.reported = now.doubts = 0;
    now.together = false;
    now.unjoined = now.number = now.block_count = 0;
    if (!kinds)
        return;
    memset(now.index, 0, now.threads * sizeof *now.index);
    now.threads = 0;
    EACH_RELAXED(m)
    relaxed_begin(m);
}

/* Nothing more can be said about this execution. */
static void give_up(enum monitor_doubt why)
{
    now.doubts |= why;
    now.active = 0;
}

/* ---- Threads ---- */

static void start(uint32_t thread)
{
    past_start(thread);
    EACH_RELAXED(m)
    relaxed_start(m, thread);
}

/* What that thread did so far comes before all that follows. */
static void come_together(uint32_t thread)
{
    now.together = true;
    cells_forget();
    past_forget();
    EACH_RELAXED(m)
    relaxed_forget(m);
    start(thread);
}

static void create(uint32_t thread, uint32_t child)
{
    if (child >= MONITOR_THREADS_MAX) {
        give_up(MONITOR_DOUBT_THREADS);
        return;
    }
    if (!now.together)
        come_together(thread);
    now.unjoined++;
    start(child);
    past_order(thread, child);
    EACH_RELAXED(m)
    relaxed_create(m, thread, child);
}

static void join(uint32_t thread, uint32_t child)
{
    if (!now.together || child >= MONITOR_THREADS_MAX)
        return;
    past_order(child, thread);
    EACH_RELAXED(m)
    relaxed_join(m, thread, child);
    if (--now.unjoined == 0)
        now.together = false;
}

static void leave(uint32_t thread)
{
    EACH_RELAXED(m)
    relaxed_exit(m, thread);
}

/* ---- Operations ---- */

/* Cell number i of the operation learns of it. */
static void tell_cell(const struct op *op, const struct happening *h,
                      uint32_t index, uint32_t i)
{
    const struct cell *c = &cells.list[op->cells[i]];
    /* Whoever unlocks it first does not know how it was locked. */
    bool first = !c->n && !c->first && h->kind != EV_UNLOCK;
    struct write *w;

    if (first) {
        w = cells_begin(op->cells[i]);
        *w = (struct write){
            .address = h->address, .value = h->read, .object = op_is_object(h)};
    }
    if (!op->writes[i])
        return;
    w = cells_write(op->cells[i], h->thread, op->act == ACT_STORE);
    w->address = h->address;
    w->value = h->wrote;
    w->number = op->number;
    w->index = index;
    w->site = h->site;
    w->thread = h->thread;
    w->object = op_is_object(h);
    w->plain = op->act == ACT_STORE;
    w->blind = op->act == ACT_STORE || (op->block && !op->reads[i]);
    if (c->n == VIEW_MOST || cells.write_count > WRITES_MAX)
        give_up(MONITOR_DOUBT_ROOM);
}

static void note_reports(void)
{
    EACH_RELAXED(m)
    if (m->reported)
        now.reported |= 1u << (m - relaxed);
    now.active &= ~now.reported;
}

/* The operation is complete: judge it, and learn from it. */
static void perform(const struct op *op)
{
    EACH_RELAXED(m)
    {
        relaxed_check(m, op);
        relaxed_step(m, op);
    }
    past_step(op);
    note_reports();
}

static bool find_cells(struct op *op, const struct happening *h)
{
    op->count = cells_find(h->address, op_size(h), op->cells);
    if (!op->count)
        give_up(MONITOR_DOUBT_ROOM);
    op->writes[0] = op->act == ACT_STORE || op->act == ACT_RMW;
    for (uint32_t i = 1; i < op->count; i++)
        op->writes[i] = op->writes[0];
    return op->count != 0;
}

static void access(const struct happening *h, uint32_t index)
{
    struct op *op = &now.op;

    op_decode(op, h);
    op->index = index;
    op->number = now.number;
    if (!find_cells(op, h))
        return;
    perform(op);
    for (uint32_t i = 0; i < op->count; i++)
        tell_cell(op, h, index, i);
}

static void fence(const struct happening *h)
{
    op_decode(&now.op, h);
    EACH_RELAXED(m)
    relaxed_step(m, &now.op);
}

/* ---- Blocks ---- */

/* One cell once: what a block reads of its own writes nobody else sees. */
static void merge_cell(struct op *block, uint16_t cell, const struct op *one,
                       uint8_t *last, uint32_t by)
{
    uint32_t i = 0;

    while (i < block->count && block->cells[i] != cell)
        i++;
    if (i == OP_CELLS_MAX) {
        give_up(MONITOR_DOUBT_ROOM);
        return;
    }
    if (i == block->count) {
        block->cells[block->count++] = cell;
        block->writes[i] = false;
        block->reads[i] = one->act != ACT_STORE;
        last[i] = (uint8_t)by;
    }
    if (one->act == ACT_LOAD || one->act == ACT_FAIL)
        return;
    block->writes[i] = true;
    last[i] = (uint8_t)by;
}

/* All accesses first, so that no cell is split any more. */
static bool find_block_cells(struct op *one)
{
    for (uint32_t i = 0; i < now.block_count; i++) {
        op_decode(one, &now.block[i]);
        if (!find_cells(one, &now.block[i]))
            return false;
    }
    return true;
}

static void end_block(void)
{
    struct op one, *op = &now.op;
    uint8_t last[OP_CELLS_MAX];
    uint32_t count = now.block_count;

    if (count == 0 || !find_block_cells(&one))
        return;
    op_decode(op, &now.block[0]);
    op->act = ACT_RMW;
    op->construct = op->if_writes = op->if_fails = C_RMW_RELAXED;
    op->block = true;
    op->index = now.block_index[0];
    op->number = now.number - 1;
    op->count = 0;
    for (uint32_t k = 0; k < count && now.active; k++) {
        op_decode(&one, &now.block[k]);
        find_cells(&one, &now.block[k]);
        for (uint32_t i = 0; i < one.count && now.active; i++)
            merge_cell(op, one.cells[i], &one, last, k);
    }
    perform(op);
    for (uint32_t i = 0; i < op->count; i++)
        tell_cell(op, &now.block[last[i]], now.block_index[last[i]], i);
    now.block_count = 0;
}

static void add_to_block(const struct happening *h, uint32_t index)
{
    if (h->flags & HAPPENED_FIRST || now.block[0].thread != h->thread)
        end_block();
    if (!now.block_count && !(h->flags & HAPPENED_FIRST))
        now.doubts |= MONITOR_DOUBT_BLOCKS;
    if (now.block_count == BLOCK_MAX) {
        give_up(MONITOR_DOUBT_ROOM);
        return;
    }
    now.block_index[now.block_count] = index;
    now.block[now.block_count++] = *h;
}

/* ---- What happened, one after the other ---- */

static void synchronise(const struct happening *h)
{
    switch (h->kind) {
    case EV_CREATE:
        create(h->thread, h->other);
        break;
    case EV_JOIN:
        join(h->thread, h->other);
        break;
    case EV_EXIT:
        if (now.together)
            leave(h->thread);
        break;
    case EV_FENCE:
        if (now.together)
            fence(h);
        break;
    default:
        break;
    }
}

static void route(const struct happening *h, uint32_t index)
{
    bool accesses = happening_accesses(h);
    bool in_block = h->flags & HAPPENED_BLOCK;

    if (h->flags & HAPPENED_GHOST)
        return;
    if (now.block_count && !(in_block && accesses))
        end_block();
    if (!accesses)
        synchronise(h);
    else if (!now.together)
        return;
    else if (in_block)
        add_to_block(h, index);
    else
        access(h, index);
}

void monitor_step(const struct happening *h)
{
    if (!now.active)
        return;
    if (h->thread >= MONITOR_THREADS_MAX) {
        give_up(MONITOR_DOUBT_THREADS);
        return;
    }
    if (now.threads <= h->thread)
        now.threads = h->thread + 1u;
    route(h, now.index[h->thread]);
    now.index[h->thread] += happening_accesses(h);
    now.number++;
}

void monitor_pending(const struct happening *h)
{
    struct op *op = &now.op;

    if (now.active && now.block_count)
        end_block();
    if (!now.active || !now.together || !happening_accesses(h) ||
        h->flags & HAPPENED_GHOST)
        return;
    op_decode(op, h);
    op->index = now.index[h->thread];
    op->number = now.number;
    if (!find_cells(op, h))
        return;
    EACH_RELAXED(m)
    relaxed_check(m, op);
    note_reports();
}

/* ---- What came of it ---- */

uint32_t monitor_reported(void)
{
    if (now.active && now.block_count)
        end_block();
    return now.reported;
}

const struct monitor_report *monitor_report(enum monitor_kind kind)
{
    if (!(now.reported >> kind & 1))
        return NULL;
    return &relaxed[kind].report;
}

uint32_t monitor_doubts(enum monitor_kind kind)
{
    return now.doubts | relaxed_doubts(&relaxed[kind]);
}
