/* SPDX-License-Identifier: MIT
 *
 * Plans to create a cycle: see plan.h.
 */
#include "schedule/plan.h"

static uint32_t role_of(const struct plan *p, uint32_t thread)
{
    for (uint32_t i = 0; i < goal->node_count; i++)
        if (p->threads[i] == thread)
            return i;
    return PLAN_NOBODY;
}

/* ---- Making one ---- */

static bool may_delay(uint32_t node)
{
    return goal->nodes[node].writes;
}

static bool may_be_stale(const struct sched_view *view, uint32_t node)
{
    return view->model->reorders_loads && !goal->nodes[goal_after(node)].writes;
}

/* The node and the manner of the n-th plan; false: there are fewer. */
static bool find_plan(const struct sched_view *view, uint32_t n, struct plan *p)
{
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < goal->node_count; i++) {
            bool stale = may_be_stale(view, i) &&
                         (pass || goal->nodes[i].reads || !may_delay(i));

            if (!(goal->reorder >> i & 1) || !(stale || may_delay(i)))
                continue;
            /* The second pass has the plans that are less likely to work. */
            if (pass && (goal->nodes[i].reads || !stale))
                continue;
            if (n--)
                continue;
            p->pair = i;
            p->stale = stale;
            return true;
        }
    }
    return false;
}

uint32_t plan_count(const struct sched_view *view)
{
    struct plan p;
    uint32_t n = 0;

    while (find_plan(view, n, &p))
        n++;
    return n;
}

void plan_make(struct plan *p, const struct sched_view *view, uint32_t n)
{
    find_plan(view, n, p);
    plan_forget(p);
}

void plan_forget(struct plan *p)
{
    p->at = p->done = 0;
    p->holding = false;
    for (uint32_t i = 0; i < goal->node_count; i++)
        p->threads[i] = PLAN_NOBODY;
}

/* ---- Steps ---- */

uint32_t plan_node(const struct plan *p, uint32_t step)
{
    uint32_t node = p->pair + step + (p->stale ? 2 : 0);

    while (node >= goal->node_count)
        node -= goal->node_count;
    return node;
}

bool plan_is_done(const struct plan *p)
{
    return p->at == goal->node_count;
}

bool plan_wants_stale(const struct plan *p)
{
    return p->stale && p->at + 1 == goal->node_count;
}

void plan_advance(struct plan *p, uint32_t thread, const struct sched_op *op)
{
    uint32_t node = plan_node(p, p->at);

    if (!p->stale && !p->at) {
        p->holding = true;
        p->holder = (uint16_t)thread;
    }
    p->done |= 1u << node;
    p->ops[node] = *op;
    p->threads[goal->nodes[node].role] = (uint16_t)thread;
    p->at++;
}

/* Does the operation fit beside the neighbours that are done? */
static bool fits_beside(const struct plan *p, const struct sched_op *op,
                        uint32_t node)
{
    uint32_t b = goal_before(node), a = goal_after(node);

    if (p->done >> b & 1 && goal_overlap(&p->ops[b], op) != goal_conflicts(b))
        return false;
    return !(p->done >> a & 1) ||
           goal_overlap(&p->ops[a], op) == goal_conflicts(node);
}

static bool fits(const struct plan *p, const struct sched_view *view,
                 uint32_t t, const struct sched_op *op, uint32_t node)
{
    uint32_t role = goal->nodes[node].role, own;

    if (op->site != goal->nodes[node].site || !op->size)
        return false;
    own = role_of(p, t);
    if (own == PLAN_NOBODY ? p->threads[role] != PLAN_NOBODY : own != role)
        return false;
    /* What it would load from its own buffer is not in memory. */
    if (op->kind == EV_LOAD && goal_buffers(view, t, op) != UINT32_MAX)
        return false;
    return fits_beside(p, op, node);
}

bool plan_takes(const struct plan *p, const struct sched_view *view,
                uint32_t thread, const struct sched_op *op)
{
    return !plan_is_done(p) && fits(p, view, thread, op, plan_node(p, p->at));
}

bool plan_awaits(const struct plan *p, const struct sched_view *view,
                 uint32_t thread)
{
    uint32_t roles = 0;

    for (uint32_t i = p->at; i < goal->node_count; i++) {
        uint32_t node = plan_node(p, i), role = goal->nodes[node].role;

        if (roles >> role & 1)
            continue;
        roles |= 1u << role;
        if (fits(p, view, thread, &view->threads[thread].op, node))
            return true;
    }
    return false;
}

bool plan_has_done(const struct plan *p, uint32_t thread)
{
    uint32_t role = p->at ? role_of(p, thread) : PLAN_NOBODY;

    if (role == PLAN_NOBODY)
        return false;
    for (uint32_t i = p->at; i < goal->node_count; i++)
        if (goal->nodes[plan_node(p, i)].role == role)
            return false;
    return true;
}

uint32_t plan_held_at(const struct plan *p, const struct sched_view *view)
{
    return goal_position(view, p->holder, &p->ops[p->pair]);
}
