/* SPDX-License-Identifier: MIT
 *
 * Loops that look at something under a mutex.
 *
 *     for (;;) { lock; found = ready; unlock; if (found) break; usleep(100); }
 *
 * A round R that takes mutex M, does nothing that others see but to read, and
 * lets M go, is in vain if all else is as before (await.c), for it can be left
 * out of any execution.  Who took M after R finds it as R had found it, and so
 * takes it after whoever let it go before R; what R ordered by that is ordered
 * still.  Nobody asks a mutex whether it is free (is_plain_lock in
 * native_sync.c), and a robust one, which tells more, is none of these.  All
 * else that R ordered is gone, and no model forbids an execution for what is
 * not ordered.
 *
 * On C11 a read of R may be half of a race.  If it is under M that is seen
 * without it, as for waits for a condition (native_wait.c): T takes M again in
 * the next round.  So a round that reads elsewhere is an ordinary one there.
 *
 * A thread that does so for good stores without end, as in native_redo.c: where
 * all others wait, such rounds stay.
 *
 *     lock; while (!ready) { unlock; usleep(100); lock; }
 *
 * Here a round begins and ends while M is held.  That is a wait for a condition
 * that ended by itself, and left out as such (native_wait.c): if the thread did
 * nothing but read under M before, and nothing between letting M go and taking
 * it again.
 */
#include "runtime/native_inside.h"
#include "sync/sync.h"

/* The last but `back` times that the thread held a mutex. */
static struct native_section *last_section(uint32_t back)
{
    struct native_thread *n = native_self();

    return &n->sections[(n->section_count - 1 - back) % NATIVE_SECTIONS_MAX];
}

/* The mutex was let go, and is taken again, with nothing in between. */
static void note_taken_again(const struct mutex *m)
{
    struct native_thread *n = native_self();
    const struct native_section *s = last_section(0), *old = last_section(1);

    if (n->section_count < 2 || old->mutex != m || !old->unlock ||
        s->before != old->unlock || s->from != old->to + 1)
        return;
    n->waited = old->from;
    rt.current->polled = (struct rt_wait){
        .mutex = m, .before = old->lock, .from = old->unlock, .to = s->lock};
}

void native_section(enum native_section_at at, const struct mutex *m)
{
    const struct thread *t = rt.current;
    struct native_section *s;

    if (!native_is_on())
        return;
    native_self()->section_count += at == SECTION_LOCKS;
    s = last_section(0);
    switch (at) {
    case SECTION_LOCKS:
        *s = (struct native_section){.before = t->prior_effect};
        break;
    case SECTION_BEGINS:
        s->mutex = m;
        s->lock = t->last_effect;
        s->from = native_self()->event_count;
        note_taken_again(m);
        break;
    case SECTION_UNLOCKS:
        if (s->mutex != m || t->prior_effect != s->lock ||
            m->kind & MUTEX_ROBUST)
            s->mutex = NULL;
        break;
    case SECTION_ENDS:
        s->unlock = s->mutex ? t->last_effect : 0;
        s->to = native_self()->event_count;
        break;
    }
}

/* So many sections are all that the thread did since `mark`, but for reads; 0:
 * it did more.  `events`: of these sections. */
static uint32_t sections_since(uint32_t mark, uint32_t *events)
{
    uint32_t effect = rt.current->last_effect;
    uint32_t most = native_self()->section_count;

    *events = 0;
    for (uint32_t i = 0; i < most && i < NATIVE_SECTIONS_MAX; i++) {
        const struct native_section *s = last_section(i);

        if (!s->unlock || s->unlock != effect || s->lock < mark)
            return 0;
        *events += s->to - s->from + 1;
        effect = s->before;
        if (effect < mark)
            return i + 1;
    }
    return 0;
}

/* Are all reads of the round under one mutex? */
static bool is_under_one(uint32_t sections, uint32_t events, uint16_t round)
{
    for (uint32_t i = 1; i < sections; i++)
        if (last_section(i)->mutex != last_section(0)->mutex)
            return false;
    return events == round;
}

bool native_could_poll(uint32_t mark)
{
    uint16_t round = native_events_since(native_self(), mark);
    uint32_t events, sections = sections_since(mark, &events);

    return sections && round < NATIVE_ROUND_MAX && !native.asks_mutexes &&
           !native.keeps_rounds && native.guards_waits &&
           native_leaves_out_waits() &&
           (!rt.model->by_language || is_under_one(sections, events, round));
}

bool native_polls(uint32_t loop, uint32_t mark)
{
    if (!native_notes_poll(loop))
        return false;
    if (rt.model->by_language)
        native_note_guarded(last_section(0)->mutex,
                            native_events_since(native_self(), mark));
    return true;
}
