/* SPDX-License-Identifier: MIT
 *
 * All executions on one model, step by step, by one worker: programs that are
 * not explored as graphs, and searches for the tables of the papers.
 *
 * The tree is a memory of its own (event/channel.h, explore.tree_fd), so that
 * it outlives the worker: one that dies is replaced, and one that has something
 * to tell stops there and goes on with its next job.  Nobody but the worker
 * understands the tree; we copy it while it rests, so that a killed run goes on
 * from that copy.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "base/point.h"
#include "session/progress.h"
#include "verify/crew.h"

#define AT_MOST (1ull << 40) /* executions: no limit */
/* Step by step there may be far more than anybody waits for, and many that were
 * begun in vain for each. */
#define STEPS_MOST 100000
#define IN_VAIN_EACH 10
#define TICK_MS 100 /* between two looks */
#define SAVE_MS 250 /* before the first copy of the tree, then more */
#define SAVE_MOST_MS 8000
#define GRACE_MS 1500 /* to end the execution under way */

bool search_is_complete(const struct counts *c)
{
    return c->exhausted && !c->cuts && c->complete;
}

/* ---- Jobs ---- */

static void fill_orders(struct crew *c)
{
    const struct search *s = c->s;
    const struct verify_options *o = s->v->o;
    struct channel_explore *x = &c->orders;

    *x = (struct channel_explore){.bound = o->bound,
                                  .unroll = o->unroll,
                                  .monitors = s->monitors,
                                  .known = s->known,
                                  .tree_fd = c->tree,
                                  .traces = s->counts->executions};
    if (o->plain)
        x->flags |= EXPLORE_PLAIN;
    if (o->bounded)
        x->flags |= EXPLORE_BOUNDED;
    if (o->count_distinct)
        x->flags |= EXPLORE_COUNT;
    if (!o->count_reports)
        x->flags |= EXPLORE_ONCE;
    if (o->races && s->raced)
        x->flags |= EXPLORE_RACES;
    x->race_count = s->counts->race_count;
    memcpy(x->races, s->counts->races, sizeof(x->races));
}

/* What was asked for has no limit of ours. */
static uint64_t most(const struct search *s)
{
    return s->v->o->plain || s->v->o->bounded ? AT_MOST : STEPS_MOST;
}

static struct job job_of(struct crew *c)
{
    const struct search *s = c->s;
    struct job j = s->v->o->base;

    fill_orders(c);
    j.model = s->model->name;
    j.strategy = STRATEGY_EXPLORE;
    j.flags |= CHANNEL_RECORD;
    if (c->keep_going)
        j.flags |= CHANNEL_KEEP_GOING;
    j.first = s->counts->executions;
    j.count = most(s);
    if (j.count > s->counts->executions)
        j.count -= s->counts->executions;
    j.explore = &c->orders;
    j.stay = true;
    return j;
}

static bool is_over(const struct crew *c)
{
    return c->finished || c->s->enough || stop_now(&c->s->v->r->stop);
}

static bool give_job(struct crew *c, struct err *e)
{
    struct job j = job_of(c);

    c->asked = false;
    return pool_start(&c->pool, &c->task, &j, e);
}

double crew_seconds(const struct crew *c)
{
    return c->seconds_before + (double)(worker_now_ms() - c->begun_at) / 1000;
}

/* ---- Waiting ---- */

static void tell_progress(const struct crew *c)
{
    const struct counts *n = c->s->counts;
    uint64_t executions = n->executions;

    if (!progress_begin(c->s->phase))
        return;
    if (c->task.running)
        executions +=
            ((volatile const struct channel *)c->task.worker.channel)->done;
    progress_put(": %" PRIu64 " executions", executions);
    progress_put_rate(executions);
    if (n->failed)
        progress_put(", %" PRIu64 " failed", n->failed);
    for (unsigned i = 0; i < MONITOR_COUNT; i++) {
        if (n->reported >> i & 1)
            progress_put(", not SC on %s",
                         monitor_model((enum monitor_kind)i)->name);
    }
    progress_flush();
}

/* Until the worker has ended and was taken, or it is time to look around. */
static bool wait_for_it(struct crew *c, uint64_t until, struct err *e)
{
    uint64_t look_at = worker_now_ms() + TICK_MS;

    return pool_wait(&c->pool, until && until < look_at ? until : look_at, e);
}

static void ask_to_pause(struct crew *c)
{
    pool_pause(&c->pool);
    c->asked = c->task.running;
}

static bool save(struct crew *c, struct err *e)
{
    struct search *s = c->s;

    s->counts->seconds = crew_seconds(c);
    if (c->save_ms < SAVE_MOST_MS)
        c->save_ms *= 2;
    c->save_at = worker_now_ms() + c->save_ms;
    c->pausing = false;
    copy_take(c);
    if (!store_save_search(s, &c->copy, e))
        return false;
    point_reached("verify.saved");
    return true;
}

static bool is_save_due(const struct crew *c)
{
    return worker_now_ms() >= c->save_at || point_is_wanted("verify.saved");
}

/* A worker was lost: all that happened since the last copy is done again. */
static void go_back(struct crew *c)
{
    pool_dismiss(&c->pool);
    c->astray = c->pausing = c->finished = false;
    c->empty = 0;
    if (!copy_restore(c))
        c->s->v->r->stop.why = "a worker was lost, and the search tree with it";
    LOG(VERIFY, "%s: goes on after %llu executions", c->s->model->name,
        (unsigned long long)c->s->counts->executions);
}

/* There are more of them than we wait for. */
static void give_up_if_many(struct crew *c)
{
    struct counts *n = c->s->counts;
    const struct verify *v = c->s->v;

    if (c->finished || (n->executions < most(c->s) &&
                        n->redundant / IN_VAIN_EACH < most(c->s)))
        return;
    c->finished = true;
    n->cuts |= CUT_ENGINE;
    counts_set_text(n->why,
                    arena_printf(v->arena, "step by step they are too many%s%s",
                                 v->refused ? ": " : "",
                                 v->refused ? v->refused : ""));
}

static bool take_turn(struct crew *c, struct err *e)
{
    if (!c->task.running && !c->pausing && !give_job(c, e))
        return false;
    if (!wait_for_it(c, c->s->v->o->until_ms, e))
        return false;
    if (c->astray)
        go_back(c);
    if (!c->task.running)
        give_up_if_many(c);
    tell_progress(c);
    if (!c->pausing && is_save_due(c)) {
        c->pausing = true;
        ask_to_pause(c);
    }
    return !c->pausing || c->pool.running || save(c, e);
}

/* Lets the execution under way come to its end; what does not is killed,
 * and then the tree is not as it was when it was last saved. */
static bool wind_up(struct crew *c, struct err *e)
{
    uint64_t until = worker_now_ms() + GRACE_MS;

    stop_now(&c->s->v->r->stop); /* an interrupt is not forgotten */
    worker_go_on();
    ask_to_pause(c);
    while (c->pool.running && worker_now_ms() < until &&
           !worker_interrupted()) {
        if (!wait_for_it(c, until, e))
            return false;
    }
    if (!c->s->counts->exhausted && (c->s->v->r->stop.why || c->s->enough))
        c->s->counts->cuts |= CUT_STOPPED;
    return c->pool.running || c->astray || save(c, e);
}

static void dismiss(struct crew *c)
{
    pool_dismiss(&c->pool);
    copy_free(&c->copy);
    if (c->tree >= 0)
        close(c->tree);
}

static bool make_tree(struct crew *c, struct err *e)
{
    c->tree = memfd_create("fencer-tree", MFD_CLOEXEC);
    if (c->tree < 0 || ftruncate(c->tree, (off_t)EXPLORE_TREE_SIZE) != 0)
        return err_set(e, "no shared memory: %s", strerror(errno));
    return true;
}

static void begin(struct crew *c)
{
    c->task = (struct task){.ended = crew_take, .owner = c};
    c->begun_at = worker_now_ms();
    c->save_ms = SAVE_MS;
    c->save_at = c->begun_at + c->save_ms;
    c->seconds_before = c->s->counts->seconds;
    c->s->counts->cuts &= ~(uint32_t)CUT_STOPPED;
    if (c->s->v->o->bounded)
        c->s->counts->cuts |= CUT_BOUND;
}

bool search_piece(struct verify *v, const struct piece *p, struct worker *w,
                  struct err *e)
{
    struct counts none = {.executions = 0};
    struct search s = {.v = v, .model = p->model, .counts = &none};
    struct crew c = {.s = &s, .keep_going = !p->to_failure};
    struct job j;
    bool ok = make_tree(&c, e);

    begin(&c);
    j = job_of(&c);
    j.count = p->count;
    j.fences = p->fences;
    j.fence_count = p->fence_count;
    j.stay = false;
    ok = ok && worker_run(w, &j, v->o->until_ms, e);
    dismiss(&c);
    return ok;
}

static void forget_search(struct search *s)
{
    *s->counts = (struct counts){.executions = 0};
    *s->outcomes = (struct tally){0};
}

/* What was explored as graphs no monitor has watched: that does not count. */
static bool load_search(struct search *s, int tree, struct err *e)
{
    if (!store_load_search(s, tree, e))
        return false;
    if (!s->counts->as_graphs)
        return true;
    forget_search(s);
    return false;
}

bool search_run_graphs(struct search *s, bool *done, struct err *e)
{
    *done = false;
    if (!graphs_can_run(s->v))
        return true;
    if (!graphs_run(s, done, e))
        return false;
    if (!*done)
        forget_search(s);
    return true;
}

static bool waits_for_conditions(const struct program *p)
{
    static const char *const names[] = {
        "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait",
        "cnd_wait", "cnd_timedwait"};

    for (size_t i = 0; i < p->extern_count; i++) {
        for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++) {
            if (strcmp(p->externs[i].name, names[k]) == 0)
                return true;
        }
    }
    return false;
}

/* Step by step nobody wakes by himself.  Where that way was asked for it is
 * named; else what graphs would have shown is missing. */
static void note_spurious(struct search *s)
{
    const struct verify *v = s->v;

    if (v->o->base.flags & CHANNEL_NO_SPURIOUS ||
        !waits_for_conditions(v->o->tables))
        return;
    s->counts->without_spurious = true;
    if (!v->refused)
        return;
    s->counts->cuts |= CUT_ENGINE;
    counts_set_text(s->counts->why,
                    "condition variables that wake by themselves "
                    "(--no-spurious: they do not)");
}

bool search_run(struct search *s, struct err *e)
{
    struct crew c = {.s = s};
    bool ok, done;

    if (!search_run_graphs(s, &done, e))
        return false;
    if (done)
        return true;
    ok = make_tree(&c, e);

    if (ok && load_search(s, c.tree, e)) {
        LOG(VERIFY, "%s: goes on after %llu executions", s->model->name,
            (unsigned long long)s->counts->executions);
        s->v->r->resumed = true;
    }
    ok = ok && !*e->text;
    begin(&c);
    copy_take(&c);
    c.finished = s->counts->exhausted;
    while (ok && !is_over(&c))
        ok = take_turn(&c, e);
    if (ok)
        ok = wind_up(&c, e);
    note_spurious(s);
    s->counts->seconds = crew_seconds(&c);
    LOG(VERIFY, "%s: %llu executions, %llu redundant, cuts %#x%s",
        s->model->name, (unsigned long long)s->counts->executions,
        (unsigned long long)s->counts->redundant, s->counts->cuts,
        s->counts->exhausted ? ", all" : "");
    dismiss(&c);
    return ok;
}
