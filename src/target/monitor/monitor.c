/* SPDX-License-Identifier: MIT
 *
 * The monitors by name, and the way of a happening to each of them: as an
 * operation on cells (op.h, cells.h), checked and done by each monitor
 * (watcher.h: monitor_relaxed.c, clocks.c, burnim.c) before happens-before
 * (past.h) and the cells themselves learn of it.
 *
 * While one thread is alone, because it has made no other yet or has joined
 * them all, nobody can see an order, and all that it does comes before whatever
 * follows: nothing is noted then, and what was noted is forgotten.  A thread
 * that is alone because others have ended is not alone in another execution of
 * the same trace.
 */
#include "monitor/monitor.h"

#include <string.h>

#include "event/must.h"
#include "monitor/cells.h"
#include "monitor/op.h"
#include "monitor/past.h"
#include "monitor/view.h"
#include "monitor/watcher.h"

static const struct {
    const char *name;
    const struct model *model;
    struct watcher *const *watcher;
    bool needs_all;
} table[MONITOR_COUNT] = {
    [MONITOR_TSO] = {"tso", &model_tso, &relaxed_tso, false},
    [MONITOR_PSO] = {"pso", &model_pso, &relaxed_pso, false},
    [MONITOR_PSLO] = {"pslo", &model_pslo, &relaxed_pslo, false},
    [MONITOR_SOBER] = {"sober", &model_tso, &sober, false},
    [MONITOR_TSO_CLOCKS] = {"tso-clocks", &model_tso, &tso_clocks, false},
    [MONITOR_BURNIM_TSO] = {"burnim-tso", &model_tso, &burnim_tso, true},
    [MONITOR_BURNIM_PSO] = {"burnim-pso", &model_pso, &burnim_pso, true},
};

#define BLOCK_MAX 64 /* accesses */

/* This execution. */
static struct {
    uint32_t kinds;  /* asked for */
    uint32_t doubts; /* of all */
    /* Those that have not reported, if nobody gave up. */
    uint32_t count;
    struct watcher *active[MONITOR_COUNT];
    bool together;     /* there are threads that nobody has joined */
    uint32_t unjoined; /* how many */
    uint32_t number;   /* of the happening */
    uint32_t threads;  /* that did something, at most */
    uint32_t index[MONITOR_THREADS_MAX];
    uint32_t stores[MONITOR_THREADS_MAX]; /* operations that wrote */
    struct op op;
    /* The block that is under way. */
    uint32_t block_count;
    uint32_t block_index[BLOCK_MAX];
    struct happening block[BLOCK_MAX];
} now;

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
    for (uint32_t i = 0; i < now.count; i++)
        now.active[i]->type->cell(now.active[i], new);
}

static void cell_split(uint16_t old, uint16_t new)
{
    past_split(old, new);
    for (uint32_t i = 0; i < now.count; i++)
        now.active[i]->type->split(now.active[i], old, new);
}

bool monitor_map(uint32_t kinds)
{
    if (!kinds)
        return true;
    op_prepare();
    cells_tell(cell_made, cell_split);
    if (!cells_map() || !past_map())
        return false;
    for (uint32_t k = 0; k < MONITOR_COUNT; k++) {
        struct watcher *w = *table[k].watcher;

        if (kinds >> k & 1 && !w->type->map(w))
            return false;
    }
    return true;
}

void monitor_begin(uint32_t kinds)
{
    now.kinds = kinds;
    now.doubts = now.count = 0;
    now.together = false;
    now.unjoined = now.number = now.block_count = 0;
    memset(now.index, 0, now.threads * sizeof *now.index);
    now.threads = 0;
    for (uint32_t k = 0; kinds >> k; k++) {
        struct watcher *w = *table[k].watcher;

        if (!(kinds >> k & 1))
            continue;
        w->reported = false;
        w->doubts = 0;
        MUST(now.count < MONITOR_COUNT);
        now.active[now.count++] = w;
    }
}

/* Nothing more can be said about this execution. */
static void give_up(enum monitor_doubt why)
{
    now.doubts |= why;
    now.count = 0;
}

/* ---- Threads ---- */

static void start_thread(uint32_t thread)
{
    now.stores[thread] = 0;
    past_start(thread);
    for (uint32_t i = 0; i < now.count; i++)
        now.active[i]->type->start(now.active[i], thread);
}

/* What that thread did so far comes before all that follows. */
static void come_together(uint32_t thread)
{
    now.together = true;
    cells_forget();
    past_forget();
    for (uint32_t i = 0; i < now.count; i++)
        now.active[i]->type->forget(now.active[i]);
    start_thread(thread);
}

static void create_thread(uint32_t thread, uint32_t child)
{
    if (child >= MONITOR_THREADS_MAX) {
        give_up(MONITOR_DOUBT_THREADS);
        return;
    }
    MUST(child != thread);
    if (!now.together)
        come_together(thread);
    now.unjoined++;
    start_thread(child);
    past_order(thread, child);
    for (uint32_t i = 0; i < now.count; i++)
        now.active[i]->type->create(now.active[i], thread, child);
}

static void join_thread(uint32_t thread, uint32_t child)
{
    MUST(now.unjoined && child != thread);
    past_order(child, thread);
    for (uint32_t i = 0; i < now.count; i++)
        now.active[i]->type->join(now.active[i], thread, child);
    if (--now.unjoined == 0)
        now.together = false;
}

static void end_thread(uint32_t thread)
{
    for (uint32_t i = 0; i < now.count; i++)
        now.active[i]->type->leave(now.active[i], thread);
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

    MUST(op->cells[i] < cells.count);
    if (first) {
        w = cells_begin(op->cells[i]);
        *w = (struct write){
            .address = h->address, .value = h->read, .object = op_is_object(h)};
    }
    if (!op->writes[i])
        return;
    w = cells_write(op->cells[i], h->thread, (int32_t)now.stores[h->thread],
                    op->act == ACT_STORE);
    w->address = h->address;
    w->value = h->wrote;
    w->number = op->number;
    w->index = index;
    w->site = h->site;
    w->thread = h->thread;
    w->object = op_is_object(h);
    w->plain = op->act == ACT_STORE;
    w->blind = op->act == ACT_STORE || (op->block && !op->reads[i]);
    if (c->n == VIEW_MOST || w->stamp == VIEW_MOST ||
        cells.write_count > WRITES_MAX)
        give_up(MONITOR_DOUBT_ROOM);
}

static void check_operation(const struct op *op)
{
    uint32_t left = 0;

    for (uint32_t i = 0; i < now.count; i++) {
        struct watcher *w = now.active[i];

        w->type->check(w, op);
        if (!w->reported)
            now.active[left++] = w;
    }
    now.count = left;
}

static void learn(const struct op *op)
{
    for (uint32_t i = 0; i < now.count; i++)
        now.active[i]->type->step(now.active[i], op);
}

/* The operation is complete: judge it, and learn from it. */
static void perform(const struct op *op)
{
    check_operation(op);
    learn(op);
    past_step(op);
    now.stores[op->thread] += op->act == ACT_STORE || op->act == ACT_RMW;
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

static void pass_fence(const struct happening *h)
{
    op_decode(&now.op, h);
    learn(&now.op);
}

/* ---- Blocks ---- */

/* One cell once: what a block reads of its own writes nobody else sees. */
static void merge_cell(struct op *block, uint16_t cell, const struct op *one,
                       uint8_t *last, uint32_t by)
{
    uint32_t i = 0;

    MUST(by < BLOCK_MAX && cell < cells.count);
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

    MUST(count <= BLOCK_MAX);
    if (count == 0 || !find_block_cells(&one))
        return;
    op_decode(op, &now.block[0]);
    op->act = ACT_RMW;
    op->construct = op->if_writes = op->if_fails = C_RMW_RELAXED;
    op->block = true;
    op->index = now.block_index[0];
    op->number = now.number - 1;
    op->count = 0;
    for (uint32_t k = 0; k < count && now.count; k++) {
        op_decode(&one, &now.block[k]);
        find_cells(&one, &now.block[k]);
        for (uint32_t i = 0; i < one.count && now.count; i++)
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
        create_thread(h->thread, h->other);
        break;
    case EV_JOIN:
        if (now.together && h->other < MONITOR_THREADS_MAX)
            join_thread(h->thread, h->other);
        break;
    case EV_EXIT:
        if (now.together)
            end_thread(h->thread);
        break;
    case EV_FENCE:
        if (now.together)
            pass_fence(h);
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
    if (!now.count)
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

    if (now.count && now.block_count)
        end_block();
    if (!now.count || !now.together || !happening_accesses(h) ||
        h->flags & HAPPENED_GHOST)
        return;
    op_decode(op, h);
    op->index = now.index[h->thread];
    op->number = now.number;
    if (find_cells(op, h))
        check_operation(op);
}

/* ---- What came of it ---- */

uint32_t monitor_reported(void)
{
    uint32_t reported = 0;

    if (now.count && now.block_count)
        end_block();
    for (uint32_t k = 0; now.kinds >> k; k++)
        if (now.kinds >> k & 1 && (*table[k].watcher)->reported)
            reported |= 1u << k;
    return reported;
}

const struct monitor_report *monitor_report(enum monitor_kind kind)
{
    const struct watcher *w = *table[kind].watcher;

    return now.kinds >> kind & 1 && w->reported ? &w->report : NULL;
}

uint32_t monitor_doubts(enum monitor_kind kind)
{
    if (!(now.kinds >> kind & 1))
        return 0;
    return now.doubts | (*table[kind].watcher)->doubts;
}
