/* SPDX-License-Identifier: MIT
 *
 * `witness`: brings about the execution in which given steps take effect in a
 * given order, one that the model allows (docs/monitors.md, section 4).
 *
 * Threads go ahead as far as they can without taking effect: stores go into
 * the buffer at once, while there is room, fences pass when they need not
 * drain.  At a store's turn it commits, at an RMW's or lock's turn it is done.
 * A load is done at its turn or, if its thread is not there yet, as soon as it
 * is, and then reads what memory held at its turn: it is as many values stale
 * as writes came since.
 *
 *      order:   W x   R y   (by T2:) R z      T2: R z ; R y
 *      does:    commit x    mark y    z, then at once y as it was
 *
 * Nobody goes further than the list says.  When it is done, or cannot be, the
 * rest of the execution is round robin.  Of several lists the first is for
 * execution 0, the next for execution 1, and so on.
 */
#include "schedule/schedule.h"

#include <stddef.h>

#include "event/must.h"
#include "schedule/pick.h"

#define NOTHING UINT32_MAX
#define POSITIONS_MAX 4096

/* What became of a step. */
enum { STEP_AHEAD, STEP_BUFFERED, STEP_WROTE, STEP_DONE };

static struct witness_step *given; /* a list, or several with their heads */
static uint64_t given_count;
static uint64_t list, head; /* of several: the last one's number, and place */

static struct witness_step *steps;
static uint32_t step_count; /* choices come last, and have no turn */
static uint32_t all_count;

static const struct sched_view *now;
static uint32_t turn;    /* number of the step whose turn it is */
static uint32_t running; /* thread that ran last */
static uint32_t batch;
static uint32_t counted; /* happenings of the log */
static bool failed;
static uint64_t room; /* stores that a buffer may hold; 0: any number */

/* The list's threads may have other numbers here, if others were created
 * first. */
static struct thread {
    uint32_t at;     /* its next step; WITNESS_NONE */
    uint32_t choice; /* likewise */
    uint32_t real;   /* its number here; WITNESS_NONE: not yet made */
} threads[SCHED_MAX_THREADS];
static uint32_t listed[SCHED_MAX_THREADS]; /* by real number; WITNESS_NONE */

static bool witness_open(struct channel *job, const struct model *model)
{
    uint64_t count = job->witness_count;

    (void)model;
    given = (struct witness_step *)((char *)job + CHANNEL_STEPS_AT);
    given_count = count < CHANNEL_STEPS_MAX ? count : CHANNEL_STEPS_MAX;
    list = head = 0;
    room = job->buffer;
    return true;
}

/* The list of that execution; empty, if there is none.  Executions come one
 * after the other: from the last one's on. */
static void find_list(uint64_t run)
{
    steps = given;
    all_count = (uint32_t)given_count;
    if (!given_count || given[0].kind != WITNESS_LIST)
        return;
    if (run < list)
        list = head = 0;
    for (; list < run && head < given_count; list++)
        head += 1 + (uint64_t)given[head].next;
    all_count = 0;
    if (head < given_count && given[head].next < given_count - head) {
        steps = &given[head + 1];
        all_count = given[head].next;
    }
}

static void take_list(uint64_t run)
{
    find_list(run);
    step_count = all_count;
    while (step_count && steps[step_count - 1].kind == WITNESS_CHOICE)
        step_count--;
}

static void witness_begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    strategy_rr.begin(seed, run, depth);
    take_list(run);
    now = NULL;
    turn = running = batch = counted = 0;
    failed = false;
    for (uint32_t i = 0; i < SCHED_MAX_THREADS; i++) {
        threads[i] = (struct thread){WITNESS_NONE, WITNESS_NONE, WITNESS_NONE};
        listed[i] = WITNESS_NONE;
    }
    threads[0].real = listed[0] = 0;
    for (uint32_t i = 0; i < all_count; i++) {
        struct witness_step *s = &steps[i];

        s->state = STEP_AHEAD;
        s->passed = s->number = 0;
        failed |= s->thread >= SCHED_MAX_THREADS;
        if (!s->first || failed)
            continue;
        if (i < step_count)
            threads[s->thread].at = i;
        else
            threads[s->thread].choice = i;
    }
}

/* What the list has for a real thread, if it has anything. */
static struct thread *listed_thread(uint32_t real)
{
    MUST(real < SCHED_MAX_THREADS);
    return listed[real] == WITNESS_NONE ? NULL : &threads[listed[real]];
}

static uint32_t next_step(uint32_t real)
{
    return listed_thread(real) ? listed_thread(real)->at : WITNESS_NONE;
}

/* ---- What the last decision did ---- */

static bool has_written(const struct happening *h)
{
    return h->kind == EV_STORE || h->kind == EV_RMW || h->kind == EV_UNLOCK;
}

/* Did the store that just happened go into the buffer?  Then it is the last
 * there, and no step has its number yet. */
static bool went_into_buffer(const struct happening *h, struct witness_step *s)
{
    uint32_t n = now->buffered_count(h->thread);
    struct sched_op op;

    if (!n || (h->kind != EV_STORE && h->kind != EV_UNLOCK))
        return false;
    op = now->buffered(h->thread, n - 1);
    s->number = op.number;
    return op.address == h->address && op.site == h->site;
}

/* As it comes. */
static bool is_free(const struct witness_step *s)
{
    return s->kind == WITNESS_FREE || s->kind == WITNESS_ENDED ||
           s->kind == WITNESS_EXIT;
}

/* Is that what the list has next, or something that it does not mention? */
static bool is_step(const struct witness_step *s, const struct happening *h)
{
    if (h->kind == EV_FENCE || s->kind == WITNESS_WAKE ||
        s->kind == WITNESS_GIVEN_UP || is_free(s) == happening_accesses(h) ||
        s->passed < s->skips)
        return false;
    return !s->site || s->site == h->site;
}

static void count_happening(const struct happening *h)
{
    uint32_t i = next_step(h->thread);
    struct witness_step *s;

    if (i == WITNESS_NONE)
        return;
    if (!is_step(&steps[i], h)) {
        steps[i].passed += happening_accesses(h);
        return;
    }
    MUST(i < step_count && steps[i].state == STEP_AHEAD);
    s = &steps[i];
    s->address = h->address;
    s->size = h->size;
    s->batch = batch;
    s->state = STEP_DONE;
    if (has_written(h))
        s->state = went_into_buffer(h, s) ? STEP_BUFFERED : STEP_WROTE;
    if (h->kind == EV_CREATE && s->chosen < SCHED_MAX_THREADS) {
        threads[s->chosen].real = h->other;
        listed[h->other] = s->chosen;
    }
    listed_thread(h->thread)->at =
        s->next < step_count ? s->next : WITNESS_NONE;
}

static void look_at_log(const struct sched_view *view)
{
    now = view;
    batch++;
    while (counted < view->log_count)
        count_happening(&view->log[counted++]);
}

/* Has it taken effect?  A program that ends with its last join does not come
 * back for the turns that are left: then a store must have left the buffer. */
static bool is_taken(uint32_t i)
{
    const struct witness_step *s = &steps[i];

    if (s->kind == WITNESS_EXIT)
        return true;
    return s->state != STEP_AHEAD && (i < turn || s->state != STEP_BUFFERED);
}

static bool witness_is_done(void)
{
    if (now)
        look_at_log(now); /* at what it did last */
    if (now && now->how == END_FAILED)
        return !failed; /* it had no time for the rest */
    for (uint32_t i = 0; i < step_count; i++)
        if (failed || !is_taken(i))
            return false;
    return !failed;
}

/* ---- Going ahead ---- */

/* Is the thread about to do something that the list mentions?  An atomic block
 * has no address. */
static bool is_listed(const struct sched_op *op, const struct witness_step *s)
{
    switch (op->kind) {
    case EV_LOAD:
    case EV_STORE:
    case EV_RMW:
        return s->passed >= s->skips &&
               (!s->site || !op->address || s->site == op->site);
    case EV_NONE:
    case EV_FENCE:
    case EV_YIELD:
    case EV_AWAIT:
    case EV_CALL:
        return false;
    default:
        return true;
    }
}

/* Would it commit what is buffered? */
static bool drains(const struct sched_thread *t)
{
    return t->buffer_at != UINT32_MAX && (t->drains || t->op.kind == EV_CALL);
}

/* Does somebody join it?  Sooner it does not end: the last thread is not
 * watched. */
static bool is_joined(uint32_t t)
{
    for (uint32_t i = 0; i < now->thread_count; i++) {
        uint32_t next = next_step(i);

        if (next == WITNESS_NONE || steps[next].chosen != listed[t])
            continue;
        if (steps[next].kind == WITNESS_ENDED ||
            (steps[next].kind == WITNESS_FREE &&
             now->threads[i].ready_at == UINT32_MAX))
            return true;
    }
    return false;
}

/* Has that thread of the list taken all its steps? */
static bool has_ended(uint32_t thread)
{
    return thread < SCHED_MAX_THREADS && threads[thread].real != WITNESS_NONE &&
           threads[thread].at == WITNESS_NONE;
}

/* Has it buffered what the list has?  That comes at its own turn; what the list
 * does not have may go when its thread ends. */
static bool has_buffered(uint32_t t)
{
    for (uint32_t i = turn; i < step_count; i++)
        if (threads[steps[i].thread].real == t &&
            steps[i].state == STEP_BUFFERED)
            return true;
    return false;
}

/* Is there a fence of every thread between now and that step?  What went ahead
 * of it would not stay in the buffer. */
static bool is_fenced_off(uint32_t step)
{
    for (uint32_t i = turn; i < step; i++)
        if (steps[i].kind == WITNESS_EVERYBODY && steps[i].state == STEP_AHEAD)
            return true;
    return false;
}

/* May it do what it is about to do before its turn? */
static bool may_go(uint32_t t)
{
    const struct sched_thread *thread = &now->threads[t];
    uint32_t i = next_step(t);

    if (thread->ready_at == UINT32_MAX || i == WITNESS_NONE)
        return false;
    if (drains(thread) && (steps[i].kind != WITNESS_EXIT || has_buffered(t)))
        return false;
    if (!is_listed(&thread->op, &steps[i]))
        return true;
    if (is_fenced_off(i))
        return false;
    switch (steps[i].kind) {
    case WITNESS_FREE:
        return true;
    case WITNESS_ENDED:
        return thread->op.kind != EV_JOIN || has_ended(steps[i].chosen);
    case WITNESS_GIVEN_UP:
        return thread->op.kind != EV_JOIN;
    case WITNESS_EXIT:
        return is_joined(t);
    case WITNESS_LOAD:
        return i < turn;
    case WITNESS_STORE:
        return !thread->drains && thread->op.kind != EV_RMW &&
               (!room || now->buffered_count(t) < room);
    default:
        return false;
    }
}

static uint32_t go_ahead(void)
{
    for (uint32_t t = 0; t < now->thread_count; t++)
        if (may_go(t))
            return DECISION(DECIDE_RUN, t);
    return NOTHING;
}

/* ---- Taking turns ---- */

/* Ends the wait of that step's thread, if it is there. */
static uint32_t wake(struct witness_step *s)
{
    struct thread *t = &threads[s->thread];

    if (t->real == WITNESS_NONE || t->at != turn ||
        now->threads[t->real].timed_at == UINT32_MAX)
        return NOTHING;
    s->state = STEP_DONE;
    t->at = s->next < step_count ? s->next : WITNESS_NONE;
    return DECISION(DECIDE_WAKE, t->real);
}

static uint32_t run_step(const struct witness_step *s)
{
    uint32_t real = threads[s->thread].real;

    if (real == WITNESS_NONE || threads[s->thread].at != turn)
        return NOTHING;
    if (now->threads[real].ready_at != UINT32_MAX)
        return DECISION(DECIDE_RUN, real);
    if (now->threads[real].timed_at != UINT32_MAX)
        return DECISION(DECIDE_WAKE, real);
    return NOTHING;
}

/* Lets the thread into its join, and out of it if it waits there. */
static uint32_t give_up(struct witness_step *s)
{
    struct thread *t = &threads[s->thread];
    bool is_inside = s->number;

    if (t->real == WITNESS_NONE || t->at != turn) {
        failed = true;
        return NOTHING;
    }
    if (!is_inside && now->threads[t->real].ready_at != UINT32_MAX) {
        s->number = 1;
        return DECISION(DECIDE_RUN, t->real);
    }
    failed |= !is_inside;
    s->state = STEP_DONE;
    t->at = s->next < step_count ? s->next : WITNESS_NONE;
    return now->threads[t->real].timed_at != UINT32_MAX
               ? DECISION(DECIDE_WAKE, t->real)
               : NOTHING;
}

/* Is that buffered store one of the list? */
static bool has_step(uint32_t thread, uint32_t number)
{
    for (uint32_t i = turn; i < step_count; i++)
        if (steps[i].thread == thread && steps[i].state == STEP_BUFFERED &&
            steps[i].number == number)
            return true;
    return false;
}

static bool is_buffered(uint32_t real, uint32_t number)
{
    uint32_t n = now->buffered_count(real);

    for (uint32_t i = 0; i < n; i++)
        if (now->buffered(real, i).number == number)
            return true;
    return false;
}

/* The commit of that store, or of one in its way that the list does not have.
 * It may have left the buffer by itself, after a full fence of its own. */
static uint32_t commit(struct witness_step *s)
{
    static uint16_t positions[POSITIONS_MAX];
    uint32_t real = threads[s->thread].real, n = 0;

    MUST(real < now->thread_count);
    if (now->threads[real].buffer_at != UINT32_MAX)
        n = now->committable(real, positions, POSITIONS_MAX);
    for (uint32_t i = 0; i < n; i++)
        if (now->buffered(real, positions[i]).number == s->number) {
            s->state = STEP_WROTE;
            return DECISION(DECIDE_COMMIT, real << 12 | positions[i]);
        }
    if (!is_buffered(real, s->number)) {
        s->state = STEP_WROTE;
        return NOTHING;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!has_step(s->thread, now->buffered(real, positions[i]).number))
            return DECISION(DECIDE_COMMIT, real << 12 | positions[i]);
    failed = true;
    return NOTHING;
}

/* A creation, or the end of a thread, may have to wait for stores that the list
 * does not have: they leave the buffer now.  Those that it has come later. */
static uint32_t drain(const struct witness_step *s)
{
    for (uint32_t i = turn; i < step_count; i++)
        if (steps[i].thread == s->thread && steps[i].state == STEP_BUFFERED)
            return NOTHING;
    return run_step(s);
}

/* A decision that lets the step whose turn it is take effect; NOTHING: it has,
 * or will when its thread is there, or cannot. */
static uint32_t take_turn(void)
{
    struct witness_step *s = &steps[turn];
    uint32_t decision;

    MUST(turn < step_count);
    if (s->state == STEP_BUFFERED)
        return commit(s);
    if (s->state != STEP_AHEAD)
        return NOTHING;
    if (is_free(s))
        return drain(s);
    if (s->kind == WITNESS_GIVEN_UP)
        return give_up(s);
    decision = s->kind == WITNESS_WAKE ? wake(s) : run_step(s);
    failed |= decision == NOTHING && s->kind != WITNESS_LOAD;
    return decision;
}

static uint32_t next_listed(void)
{
    while (turn < step_count && !failed) {
        uint32_t decision = go_ahead();

        if (decision == NOTHING)
            decision = take_turn();
        if (decision != NOTHING)
            return decision;
        turn++;
    }
    return failed ? NOTHING : go_ahead();
}

static uint32_t witness_next(const struct sched_view *view)
{
    uint32_t decision;

    look_at_log(view);
    decision = next_listed();
    if (decision == NOTHING)
        decision = strategy_rr.next(view);
    if ((decision & 7) == DECIDE_RUN)
        running = decision >> 3;
    return decision;
}

/* ---- Choices ---- */

static bool overlap(const struct witness_step *s, const struct sched_op *op)
{
    return s->address < op->address + op->size &&
           op->address < s->address + s->size;
}

/* How many values older than memory's: changes since its turn, or since an own
 * store after that, which it saw in the buffer. */
static uint32_t staleness(uint32_t load)
{
    const struct sched_op *op = &now->threads[running].op;
    uint32_t older = 0, last = 0;

    for (uint32_t i = load + 1; i < turn; i++) {
        const struct witness_step *s = &steps[i];

        if (s->state != STEP_WROTE || !overlap(s, op))
            continue;
        if (s->thread == listed[running])
            older = 0;
        else if (s->kind != WITNESS_NOW || s->batch != last)
            older++;
        last = s->kind == WITNESS_NOW ? s->batch : 0;
    }
    return older;
}

static uint32_t stale_choice(uint32_t n)
{
    uint32_t i = next_step(running), older = 0;

    if (i != WITNESS_NONE && steps[i].kind == WITNESS_LOAD && i < turn)
        older = staleness(i);
    MUST(n > 1);
    failed |= older >= n;
    return older < n ? older : 0;
}

static uint32_t witness_choose(enum decision_kind kind, uint32_t n)
{
    struct thread *t = listed_thread(running);
    const struct witness_step *s;

    if (kind == DECIDE_STALE)
        return stale_choice(n);
    if (!t || t->choice == WITNESS_NONE)
        return 0;
    s = &steps[t->choice];
    t->choice = s->next < all_count ? s->next : WITNESS_NONE;
    return s->chosen < n ? s->chosen : 0;
}

const struct strategy strategy_witness = {
    .name = "witness",
    .begin = witness_begin,
    .next = witness_next,
    .choose = witness_choose,
    .ticks = pick_dense,
    .open = witness_open,
    .is_done = witness_is_done,
    .logs = true,
};
