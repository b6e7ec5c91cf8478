/* SPDX-License-Identifier: MIT
 *
 * All executions on one model, by workers that share one search tree.
 *
 * The tree is a memory of its own (event/channel.h, explore.tree_fd), so that
 * it outlives every worker: a worker that dies is replaced, and one that has
 * something to tell stops there and goes on with its next job.  Nobody but the
 * workers understands the tree; we copy it while they rest, so that a killed
 * run goes on from that copy.
 *
 * The first executions are one worker's alone: what a small program is told
 * does not depend on the number of workers, and starting them costs more than
 * its executions.
 *
 * Models whose executions src/target/explore does not know are had by
 * STRATEGY_EVERY: one job of one worker, which cannot be continued.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "base/point.h"
#include "session/progress.h"
#include "verify/crew.h"

#define ALONE 20000 /* executions before the other workers come */
/* Where the engine's order matters, workers that break it run many executions
 * for nothing: then it takes so many to be quicker than one. */
#define WORTH_IT 4
#define AT_MOST (1ull << 40) /* executions of a job: no limit */
/* Of a model that src/target/explore does not know: there may be far more than
 * anybody waits for. */
#define EVERY_MOST 100000
#define TICK_MS 100 /* between two looks */
#define REST_MS 5   /* of a worker that found nothing to do */
#define SAVE_MS 250 /* before the first copy of the tree, then more */
#define SAVE_MOST_MS 8000
#define GRACE_MS 1500 /* to end the execution under way */

bool search_is_complete(const struct counts *c)
{
    return c->exhausted && !c->cuts && c->complete;
}

/* ---- Jobs ---- */

/* Does src/target/explore know its executions?  Loads that go back it does not.
 */
static bool is_explored(const struct model *m)
{
    return !m->reorders_loads;
}

static void fill_orders(const struct crew *c, unsigned seat)
{
    const struct search *s = c->s;
    const struct verify_options *o = s->v->o;
    struct channel_explore *x = &c->seats[seat].orders;

    *x = (struct channel_explore){.bound = o->bound,
                                  .unroll = o->unroll,
                                  .monitors = s->monitors,
                                  .known = s->known,
                                  .tree_fd = c->tree,
                                  .worker = seat,
                                  .traces = s->counts->executions};
    if (o->plain)
        x->flags |= EXPLORE_PLAIN;
    if (o->bounded)
        x->flags |= EXPLORE_BOUNDED;
    if (c->shares && s->counts->executions >= ALONE)
        x->flags |= EXPLORE_SHARED;
    if (o->count_distinct)
        x->flags |= EXPLORE_COUNT;
    if (!o->count_reports)
        x->flags |= EXPLORE_ONCE;
    if (o->races && s->raced)
        x->flags |= EXPLORE_RACES;
    x->race_count = s->counts->race_count;
    memcpy(x->races, s->counts->races, sizeof(x->races));
}

static struct job job_of(const struct crew *c, unsigned seat)
{
    const struct search *s = c->s;
    struct job j = s->v->o->base;

    fill_orders(c, seat);
    j.model = s->model->name;
    j.strategy = c->tree >= 0 ? STRATEGY_EXPLORE : STRATEGY_EVERY;
    j.flags |= CHANNEL_RECORD;
    if (c->keep_going)
        j.flags |= CHANNEL_KEEP_GOING;
    j.first = s->counts->executions;
    j.count = c->tree >= 0 ? AT_MOST : EVERY_MOST;
    if (c->tree >= 0 && s->counts->executions < ALONE)
        j.count = ALONE - s->counts->executions;
    j.explore = &c->seats[seat].orders;
    j.stay = true;
    return j;
}

static bool give_job(struct crew *c, unsigned seat, struct err *e)
{
    struct seat *k = &c->seats[seat];
    struct job j = job_of(c, seat);

    k->asked = false;
    return pool_start(&c->pool, &k->task, &j, e);
}

static bool is_over(const struct crew *c)
{
    return c->finished || c->s->enough || stop_now(&c->s->v->r->stop);
}

static bool give_jobs(struct crew *c, struct err *e)
{
    uint64_t now = worker_now_ms();
    unsigned n = 1;

    if (c->s->counts->executions >= ALONE && c->shares)
        n = c->count;
    for (unsigned i = 0; i < n && !c->pausing && !is_over(c); i++) {
        if (!c->seats[i].task.running && now >= c->seats[i].rest_until &&
            !give_job(c, i, e))
            return false;
    }
    return true;
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
    double explored = c->explored;

    if (!progress_begin(c->s->phase))
        return;
    for (unsigned i = 0; i < c->count; i++) {
        volatile const struct channel *ch = c->seats[i].task.worker.channel;

        if (!c->seats[i].task.running)
            continue;
        executions += ch->done;
        if (ch->explore.explored > explored)
            explored = ch->explore.explored;
    }
    progress_put(": %" PRIu64 " executions", executions);
    if (n->failed)
        progress_put(", %" PRIu64 " failed", n->failed);
    for (unsigned i = 0; i < MONITOR_COUNT; i++) {
        if (n->reported >> i & 1)
            progress_put(", not SC on %s",
                         monitor_model((enum monitor_kind)i)->name);
    }
    if (explored > 0) {
        progress_put(", %.0f%%", explored * 100);
        progress_put_left(explored);
    }
    progress_flush();
}

/* Until some worker has ended and was taken, or it is time to look around. */
static bool wait_for_some(struct crew *c, uint64_t until, struct err *e)
{
    bool resting = false;
    uint64_t look_at;

    for (unsigned i = 0; i < c->count; i++)
        resting =
            resting || (!c->seats[i].task.running && c->seats[i].rest_until);
    look_at = worker_now_ms() + (resting ? REST_MS : TICK_MS);
    if (until && until < look_at)
        look_at = until;
    if (!c->pool.running && resting)
        poll(NULL, 0, REST_MS);
    return pool_wait(&c->pool, look_at, e);
}

static void ask_to_pause(struct crew *c)
{
    pool_pause(&c->pool);
    for (unsigned i = 0; i < c->count; i++)
        c->seats[i].asked = c->seats[i].task.running;
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
    return c->tree >= 0 &&
           (worker_now_ms() >= c->save_at || point_is_wanted("verify.saved"));
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

static bool take_turn(struct crew *c, struct err *e)
{
    if (!give_jobs(c, e))
        return false;
    if (!wait_for_some(c, c->s->v->o->until_ms, e))
        return false;
    if (c->astray)
        go_back(c);
    tell_progress(c);
    if (!c->pausing && is_save_due(c)) {
        c->pausing = true;
        ask_to_pause(c);
    }
    return !c->pausing || c->pool.running || save(c, e);
}

/* Lets the executions under way come to their end; what does not is killed,
 * and then the tree is not as it was when it was last saved. */
static bool wind_up(struct crew *c, struct err *e)
{
    uint64_t until = worker_now_ms() + GRACE_MS;

    stop_now(&c->s->v->r->stop); /* an interrupt is not forgotten */
    worker_go_on();
    ask_to_pause(c);
    while (c->pool.running && worker_now_ms() < until &&
           !worker_interrupted()) {
        if (!wait_for_some(c, until, e))
            return false;
    }
    if (!c->s->counts->exhausted && (c->s->v->r->stop.why || c->s->enough))
        c->s->counts->cuts |= CUT_STOPPED;
    return c->pool.running || c->astray || save(c, e);
}

static void dismiss(struct crew *c)
{
    pool_dismiss(&c->pool);
    free(c->seats);
    copy_free(&c->copy);
    if (c->tree >= 0)
        close(c->tree);
}

static bool make_tree(struct crew *c, struct err *e)
{
    c->tree = -1;
    if (!is_explored(c->s->model))
        return true;
    c->tree = memfd_create("fencer-tree", MFD_CLOEXEC);
    if (c->tree < 0 || ftruncate(c->tree, (off_t)EXPLORE_TREE_SIZE) != 0)
        return err_set(e, "no shared memory: %s", strerror(errno));
    return true;
}

static unsigned seats_for(const struct search *s, int tree)
{
    unsigned jobs = s->v->o->jobs;

    /* Some go one way only, and a process counts its own traces only. */
    if (tree < 0 || jobs < 1 || s->v->o->bounded || s->v->o->plain ||
        s->v->o->count_distinct)
        return 1;
    return jobs < EXPLORE_WORKERS_MAX ? jobs : EXPLORE_WORKERS_MAX;
}

static void begin(struct crew *c)
{
    c->count = seats_for(c->s, c->tree);
    c->seats = calloc(c->count, sizeof(*c->seats));
    CHECK(c->seats != NULL);
    for (unsigned i = 0; i < c->count; i++)
        c->seats[i] = (struct seat){
            .crew = c, .task = {.ended = crew_take, .owner = &c->seats[i]}};
    c->shares = c->count >= WORTH_IT;
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
    j = job_of(&c, 0);
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
