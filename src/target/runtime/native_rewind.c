/* SPDX-License-Identifier: MIT
 *
 * A thread as it was at an earlier node.  To run it again from the start, for
 * each sequence of values that it has not read yet, takes longer than all else
 * where a thread reads many values.  What it does next depends on its stack, on
 * its thread-local variables, and on what the runtime keeps of it: where that
 * is all that it has changed, a copy of these is enough.
 *
 * A thread that wrote memory of its own elsewhere, called a model of a library,
 * or announced something else than accesses and fences, has left traces: until
 * the program begins anew nobody goes back to what it was.  What other threads
 * did since does not matter, as it does not to a thread that waits.
 *
 * Now and then a thread is run again from the start all the same: only that
 * shows whether it does the same for the same values.
 */
#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "runtime/native_inside.h"
#include "sync/sync.h"

#define SNAPSHOTS 64u /* the last nodes, by number */
#define ROOM 6000u
#define PARTS_MAX 12
#define RED_ZONE 128 /* a switch keeps something below its stack pointer */
#define RUN_AGAIN 64 /* one time of so many */

struct snapshot {
    uint64_t serial; /* of the execution; 0: empty */
    behaviour_node node;
    uint32_t reads;
    void *sp;
    char bytes[ROOM];
};

static struct snapshot *snapshots;
static uint32_t rewinds;

static struct snapshot *slot_of(behaviour_node node)
{
    if (!snapshots) {
        snapshots =
            mmap(NULL, SNAPSHOTS * sizeof *snapshots, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        MUST(snapshots != MAP_FAILED);
    }
    return &snapshots[node.ix % SNAPSHOTS];
}

/* All that is kept of a thread that has so many reads and stands there. */
static unsigned parts_of(struct thread *t, uint32_t reads, void *sp,
                         struct native_part parts[PARTS_MAX])
{
    const struct native_part all[] = {
        {t, offsetof(struct thread, reads)},
        {t->reads, reads * sizeof *t->reads},
        {t->sched, sizeof *t->sched},
        {&native.threads[t->id], sizeof *native.threads},
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

/* Into `bytes`, or back.  False: there is no room. */
static bool copy_parts(const struct native_part *parts, unsigned count,
                       char *bytes, bool back)
{
    size_t size = 0;

    for (unsigned i = 0; i < count; i++)
        size += parts[i].size;
    if (size > ROOM)
        return false;
    for (unsigned i = 0; i < count; bytes += parts[i++].size)
        memcpy(back ? parts[i].at : bytes, back ? bytes : parts[i].at,
               parts[i].size);
    return true;
}

/* ---- Traces ---- */

static uint64_t traced[GRAPH_THREADS_MAX]; /* in that execution */

void native_leaves_trace(void)
{
    if (rt.graphs && rt.current->id < GRAPH_THREADS_MAX)
        traced[rt.current->id] = rt.serial;
}

static bool is_simple(const struct op *op)
{
    return op->kind <= OP_CAS || op->kind == OP_FENCE;
}

/* ---- There and back ---- */

void native_save_thread(behaviour_node node)
{
    uint32_t thread = behaviour_thread(native.trie, node);
    struct thread *t = &rt.threads[thread];
    struct native_part parts[PARTS_MAX];
    struct snapshot *s;
    unsigned count;

    /* Nobody has to go back to where only one value leads on. */
    if (!thread || traced[thread] == rt.serial || labels_are_on() ||
        native.refused || !is_simple(&native.op) || t->atomic_depth ||
        native.op.kind == OP_STORE || native.op.kind == OP_FENCE)
        return;
    s = slot_of(node);
    s->serial = 0;
    count = parts_of(t, t->read_count, t->sp, parts);
    if (!copy_parts(parts, count, s->bytes, false))
        return;
    s->serial = rt.serial;
    s->node = node;
    s->reads = t->read_count;
    s->sp = t->sp;
}

bool native_rewind_thread(behaviour_node node)
{
    uint32_t thread = behaviour_thread(native.trie, node);
    struct snapshot *s = slot_of(node);
    struct thread *t = &rt.threads[thread];
    struct native_part parts[PARTS_MAX];
    unsigned count;

    if (!node.ix || s->serial != rt.serial || s->node.ix != node.ix ||
        traced[thread] == rt.serial || ++rewinds % RUN_AGAIN == 0)
        return false;
    count = parts_of(t, s->reads, s->sp, parts);
    MUST(copy_parts(parts, count, s->bytes, true));
    MUST(native.threads[thread].at.ix == node.ix);
    return true;
}
