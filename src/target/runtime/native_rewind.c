/* SPDX-License-Identifier: MIT
 *
 * A thread as it was at an earlier node.  To run it again from the start, for
 * each sequence of values that it has not read yet, takes longer than all else
 * where a thread reads many values.  What it does next depends on its stack, on
 * its thread-local variables, and on what the runtime keeps of it: where that
 * is all that it has changed, a copy of these is enough.
 *
 * A thread that wrote memory of its own elsewhere, called a model of a library,
 * or announced something else than accesses and fences, has left a trace: until
 * the program begins anew nobody goes back to what it was before that.  What
 * other threads did since does not matter, as it does not to a thread that
 * waits; but for the thread on whose stack lies what it was given.
 *
 * Now and then a thread is run again from its start all the same, and sometimes
 * the whole program: only that shows whether it does the same for the same
 * values.
 */
#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "runtime/native_inside.h"
#include "sync/sync.h"

#define SNAPSHOTS 512u /* the last node of a thread at each depth */
#define PLACES 67u     /* of a thread, until its neighbour's begin */
#define ROOM 6000u
#define PARTS_MAX 14
#define RED_ZONE 128 /* a switch keeps something below its stack pointer */
/* One time of so many, and the program with it. */
#define RUN_AGAIN 64
#define BEGIN_AGAIN 1024

struct snapshot {
    uint64_t serial;     /* of the execution; 0: empty */
    uint64_t traces;     /* that the thread had left */
    uint64_t leant;      /* struct native_thread */
    behaviour_node node; /* 0: it has not begun */
    void *sp;
    uint16_t size[PARTS_MAX]; /* of each part, one after the other */
    char bytes[ROOM];
};

static struct snapshot *snapshots;
static struct snapshot starts[GRAPH_THREADS_MAX]; /* before threads have run */
static uint32_t rewinds;

static struct snapshot *slot_of(behaviour_node node)
{
    const struct behaviour_entry *e = &native.trie->entries[node.ix];

    if (!snapshots) {
        snapshots =
            mmap(NULL, SNAPSHOTS * sizeof *snapshots, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        MUST(snapshots != MAP_FAILED);
    }
    return &snapshots[(e->thread * PLACES + e->depth) % SNAPSHOTS];
}

static uint32_t used(uint32_t count, uint32_t room)
{
    return count < room ? count : room;
}

/* All that is kept of a thread that stands there, in as far as it is used. */
static unsigned parts_of(struct thread *t, void *sp,
                         struct native_part parts[PARTS_MAX])
{
    struct native_thread *n = &native.threads[t->id];
    const struct native_part all[] = {
        {t, offsetof(struct thread, reads)},
        {t->reads, t->read_count * sizeof *t->reads},
        {t->sched, sizeof *t->sched},
        {n, offsetof(struct native_thread, feed)},
        {n->feed, n->feed_count * sizeof *n->feed},
        {n->sections,
         used(n->section_count, NATIVE_SECTIONS_MAX) * sizeof *n->sections},
        {n->events, used(n->event_count, NATIVE_ROUND_MAX) * sizeof *n->events},
        {sync_of(t), sizeof(struct sync_thread)},
        {t->tls, __fencer_program.tls_size},
        {(char *)sp - RED_ZONE, (size_t)(t->stack_end - (char *)sp) + RED_ZONE},
        unroll_part(t->id),
        await_part(t->id),
        native_own_part(t->id)};
    const unsigned count = sizeof all / sizeof *all;

    _Static_assert(sizeof all / sizeof *all <= PARTS_MAX, "");
    memcpy(parts, all, sizeof all);
    return count;
}

/* False: there is no room. */
static bool keep_parts(struct snapshot *s, const struct native_part *parts,
                       unsigned count)
{
    size_t size = 0;
    char *to = s->bytes;

    for (unsigned i = 0; i < count; i++)
        size += parts[i].size;
    if (size > ROOM)
        return false;
    for (unsigned i = 0; i < count; to += parts[i++].size) {
        s->size[i] = (uint16_t)parts[i].size;
        memcpy(to, parts[i].at, parts[i].size);
    }
    return true;
}

static void put_parts_back(const struct snapshot *s,
                           const struct native_part *parts, unsigned count)
{
    const char *from = s->bytes;

    for (unsigned i = 0; i < count; from += s->size[i++])
        memcpy(parts[i].at, from, s->size[i]);
}

/* ---- Traces ---- */

static uint64_t traces[GRAPH_THREADS_MAX]; /* of each thread, so far */

void native_leaves_trace(void)
{
    if (rt.graphs && rt.current->id < GRAPH_THREADS_MAX)
        traces[rt.current->id]++;
}

bool native_leads_back(const struct op *op)
{
    return op->kind <= OP_CAS || op->kind == OP_FENCE;
}

bool native_has_ways(const struct op *op)
{
    return op->kind <= OP_CAS && op->kind != OP_STORE;
}

/* ---- There and back ---- */

static void save(struct snapshot *s, uint32_t thread, behaviour_node node)
{
    struct thread *t = &rt.threads[thread];
    struct native_part parts[PARTS_MAX];
    unsigned count = parts_of(t, t->sp, parts);

    s->serial = 0;
    if (native.threads[thread].block.count ||
        native.threads[thread].ended.count || !keep_parts(s, parts, count))
        return;
    s->serial = rt.serial;
    s->traces = traces[thread];
    s->leant = native.threads[thread].leant;
    s->node = node;
    s->sp = t->sp;
}

void native_save_thread(behaviour_node node)
{
    uint32_t thread = behaviour_thread(native.trie, node);

    /* Nobody has to go back to where only one value leads on. */
    if (labels_are_on() || native.refused || !native_has_ways(&native.op) ||
        rt.threads[thread].atomic_depth)
        return;
    save(slot_of(node), thread, node);
}

/* The first thread leaves traces before there are others. */
void native_save_start(uint32_t thread)
{
    if (thread && !labels_are_on())
        save(&starts[thread], thread, (behaviour_node){0});
}

bool native_rewind_thread(uint32_t thread, behaviour_node node)
{
    struct snapshot *s = node.ix ? slot_of(node) : &starts[thread];
    struct native_part parts[PARTS_MAX];
    unsigned count;

    if (s->serial != rt.serial || s->node.ix != node.ix ||
        s->traces != traces[thread] || s->leant != native_leaning(thread))
        return false;
    count = parts_of(&rt.threads[thread], s->sp, parts);
    put_parts_back(s, parts, count);
    MUST(native.threads[thread].at.ix == node.ix);
    return true;
}

bool native_is_to_run_again(void)
{
    return ++rewinds % RUN_AGAIN == 0;
}

bool native_is_to_begin_again(void)
{
    return rewinds % BEGIN_AGAIN == 0;
}
