/* SPDX-License-Identifier: MIT
 *
 * A cycle to close, in an execution that is drawn event by event
 * (graph_forward.c).  Its accesses take the places that it needs wherever the
 * model allows it: along an edge u -> v
 *
 *     v reads u, or something later     if u writes and v reads
 *     v comes after u in co             if both write
 *     v comes after what u read         if u reads and v writes
 *
 * Which of the two came first to the graph does not matter, but for a read of
 * what is not written yet.  Everything else is close to SC.
 */
#include "graph/graph_goal.h"

#include <string.h>

/* Both halves of an access, or NONE. */
struct halves {
    int read, write;
};

void goal_begin(struct graph_goal *goal)
{
    goal->hit = false;
    for (unsigned i = 0; i < GOAL_NODES_MAX; i++) {
        goal->events[i] = NONE;
        goal->threads[i] = -1;
    }
}

static unsigned next_of(const struct graph_goal *goal, unsigned node)
{
    return (node + 1) % goal->count;
}

static unsigned before_of(const struct graph_goal *goal, unsigned node)
{
    return (node + goal->count - 1) % goal->count;
}

/* Is the edge to the next node program order? */
static bool is_pair(const struct graph_goal *goal, unsigned node)
{
    return goal->nodes[node].pair == GOAL_FIRST;
}

static bool is_there(const struct graph_goal *goal, unsigned node)
{
    return goal->events[node] != NONE;
}

static bool is_thread_of(const struct graph_goal *goal, unsigned role,
                         unsigned thread)
{
    for (unsigned i = 0; i < goal->count; i++) {
        if (goal->threads[i] == (int)thread)
            return i == role;
    }
    return goal->threads[role] < 0;
}

int goal_node_of(const struct graph_goal *goal, unsigned thread,
                 const struct op *op)
{
    for (unsigned i = 0; i < goal->count; i++) {
        const struct goal_node *n = &goal->nodes[i];

        if (n->site != op->site || !is_thread_of(goal, n->role, thread))
            continue;
        if (n->pair != GOAL_SECOND || is_there(goal, before_of(goal, i)))
            return (int)i;
    }
    return NONE;
}

bool goal_waits(const struct graph_goal *goal, int node)
{
    unsigned before = before_of(goal, (unsigned)node);

    return !is_pair(goal, before) && goal->nodes[node].reads &&
           goal->nodes[before].writes && !goal->nodes[before].reads &&
           !is_there(goal, before);
}

static struct halves halves_of(const struct graph *g, int event)
{
    const struct node_event *n = &g->events[event];

    if (node_reads(n))
        return (struct halves){event, n->mate};
    return (struct halves){n->mate, event};
}

/* Is that write among these?  The initial one never is. */
static bool is_among(row writes, int write)
{
    return write >= 0 && row_has(writes, write);
}

static bool follows(const struct graph *g, struct halves u, row after)
{
    return !is_among(after, u.write >= 0 ? u.write : g->events[u.read].rf);
}

static bool precedes(const struct graph *g, struct halves v, row after)
{
    return is_among(after, v.write >= 0 ? v.write : g->events[v.read].rf);
}

bool goal_fits(const struct graph_goal *goal, const struct graph *g, int node,
               int write, unsigned location)
{
    unsigned next = next_of(goal, (unsigned)node);
    unsigned before = before_of(goal, (unsigned)node);
    row after = graph_co_after(g, write, location);

    if (!is_pair(goal, before) && is_there(goal, before) &&
        !follows(g, halves_of(g, goal->events[before]), after))
        return false;
    return is_pair(goal, (unsigned)node) || !is_there(goal, next) ||
           precedes(g, halves_of(g, goal->events[next]), after);
}

/* Of a pair the second comes after the first that counts. */
void goal_note(struct graph_goal *goal, const struct graph *g, int node,
               unsigned thread)
{
    goal->events[node] = (int16_t)graph_last_of(g, thread);
    goal->threads[goal->nodes[node].role] = (int)thread;
    if (is_pair(goal, (unsigned)node))
        goal->events[next_of(goal, (unsigned)node)] = NONE;
}

static bool is_edge(const struct graph *g, struct halves u, struct halves v)
{
    unsigned location = g->events[u.read >= 0 ? u.read : u.write].location;

    if (g->events[v.read >= 0 ? v.read : v.write].location != location)
        return false;
    if (v.write >= 0) {
        int from = u.write >= 0 ? u.write : g->events[u.read].rf;

        return is_among(graph_co_after(g, from, location), v.write);
    }
    return u.write >= 0 &&
           (g->events[v.read].rf == u.write ||
            is_among(g->co_after[u.write], g->events[v.read].rf));
}

bool goal_is_closed(const struct graph_goal *goal, const struct graph *g)
{
    for (unsigned i = 0; i < goal->count; i++) {
        unsigned next = next_of(goal, i);

        if (!is_there(goal, i) || !is_there(goal, next))
            return false;
        if (!is_pair(goal, i) && !is_edge(g, halves_of(g, goal->events[i]),
                                          halves_of(g, goal->events[next])))
            return false;
    }
    return true;
}
