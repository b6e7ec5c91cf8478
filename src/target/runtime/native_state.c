/* SPDX-License-Identifier: MIT
 *
 * How far a search over graphs is: which part of the tree is left to it, and
 * what the program was found to be like, on which the tree depends.  That lies
 * in the channel's search region, and the same program goes on from there, in
 * this process or in another.
 */
#include <string.h>

#include "event/must.h"
#include "runtime/native_inside.h"

/* A place: the choices before there were threads, then the way. */
struct native_place {
    uint32_t lone_count;
    struct lone_choice lone[NATIVE_LONE_MAX];
    struct graph_way way;
};

struct native_state {
    uint32_t width;
    uint32_t asks_mutexes, all_shared, traits, late;
    uint32_t ends;                 /* 1: there is an `until` */
    struct native_place at, until; /* after the one, up to the other's end */
    uint32_t birth_count;
    struct native_birth births[GRAPH_THREADS_MAX];
    uint32_t unequal[GRAPH_THREADS_MAX];
    uint32_t awaited_count;
    struct native_awaited awaited[NATIVE_AWAITED_MAX];
    uint32_t redone_count;
    struct native_redone redone[NATIVE_REDONE_MAX];
    uint32_t word_count, fact_count, reach_count;
    uint64_t words[]; /* that are shared; then the facts; then the reaches */
};

static struct native_state *state(void)
{
    return (struct native_state *)((char *)rt.channel + CHANNEL_SEARCH_AT);
}

static struct native_state *given(void)
{
    return (struct native_state *)((char *)rt.channel + CHANNEL_GIVEN_AT);
}

static struct channel_fact *facts_of(const struct native_state *s)
{
    return (struct channel_fact *)(uintptr_t)(s->words + s->word_count);
}

static struct native_reach *reaches_of(const struct native_state *s)
{
    return (struct native_reach *)(facts_of(s) + s->fact_count);
}

/* ---- Places ---- */

static void put_lone(struct native_place *to)
{
    to->lone_count = native.lone_count;
    memcpy(to->lone, native.lone, sizeof to->lone);
}

static bool is_here(const struct native_place *p)
{
    return p->lone_count == native.lone_count &&
           memcmp(p->lone, native.lone,
                  native.lone_count * sizeof *native.lone) == 0;
}

const struct graph_way *native_resumes_after(void)
{
    return &state()->at.way;
}

const struct graph_way *native_ends_with(void)
{
    return state()->ends && is_here(&state()->until) ? &state()->until.way
                                                     : NULL;
}

void native_begin_part(void)
{
    state()->ends = 0;
}

void native_take_place(void)
{
    const struct native_state *s = state();

    MUST(s->at.lone_count <= NATIVE_LONE_MAX);
    MUST(s->at.way.count < GRAPH_LEVELS_MAX);
    MUST(s->until.way.count < GRAPH_LEVELS_MAX || !s->ends);
    native.lone_count = s->at.lone_count;
    memcpy(native.lone, s->at.lone, sizeof s->at.lone);
}

/* ---- All of it ---- */

/* Who learnt that the tree is another knows threads that others do not, and in
 * which order one alone finds them nobody knows. */
static void put_births(struct native_state *s)
{
    if (rt.channel->graph.begun_anew && rt.channel->graph.shared)
        return;
    s->birth_count = native.birth_count;
    memcpy(s->births, native.births, sizeof s->births);
}

void native_save_state(uint32_t width, const struct graph_way *at)
{
    struct native_state *s = state();

    s->width = width;
    s->asks_mutexes = native.asks_mutexes;
    s->all_shared = native.all_shared;
    s->traits = native.traits;
    s->late = native.late;
    put_lone(&s->at);
    s->at.way = *at;
    put_births(s);
    memcpy(s->unequal, native.trie->twins.unequal, sizeof s->unequal);
    s->awaited_count = native.awaited_count;
    memcpy(s->awaited, native.awaited, sizeof s->awaited);
    s->redone_count = native.redone_count;
    memcpy(s->redone, native.redone, sizeof s->redone);
    s->word_count = native_shared_words(s->words, NATIVE_WORDS_MAX);
    s->fact_count = native_facts(facts_of(s), NATIVE_FACTS_MAX);
    s->reach_count = native_reaches_known(reaches_of(s));
    rt.channel->graph.state_size =
        (uint64_t)((const char *)(reaches_of(s) + s->reach_count) -
                   (const char *)s);
    rt.channel->graph.fact_count = native_facts(
        (struct channel_fact *)((char *)rt.channel + CHANNEL_FACTS_AT),
        NATIVE_FACTS_MAX);
}

uint32_t native_load_state(void)
{
    const struct native_state *s = state();

    MUST(s->word_count <= NATIVE_WORDS_MAX);
    native.asks_mutexes = s->asks_mutexes;
    native.all_shared = s->all_shared;
    native.traits = s->traits;
    native.late = s->late;
    MUST(s->birth_count < GRAPH_THREADS_MAX);
    native.birth_count = s->birth_count;
    memcpy(native.births, s->births, sizeof s->births);
    memcpy(native.trie->twins.unequal, s->unequal, sizeof s->unequal);
    MUST(s->awaited_count <= NATIVE_AWAITED_MAX);
    native.awaited_count = s->awaited_count;
    memcpy(native.awaited, s->awaited, sizeof s->awaited);
    MUST(s->redone_count <= NATIVE_REDONE_MAX);
    native.redone_count = s->redone_count;
    memcpy(native.redone, s->redone, sizeof s->redone);
    native_share_words(s->words, s->word_count);
    native_take_facts(facts_of(s), s->fact_count);
    native_take_reaches(reaches_of(s), s->reach_count);
    return s->width;
}

/* ---- Some of it for somebody else ---- */

void native_give_part(void)
{
    struct channel_graph *c = &rt.channel->graph;
    struct native_state *mine = state();
    static const struct graph_way whole;
    const struct graph_way *until = native_ends_with();
    struct native_place cut;

    put_lone(&cut);
    if (!graph_way_cut(&mine->at.way, until ? until : &whole, c->gives - 1,
                       &cut.way))
        return;
    memcpy(given(), mine, c->state_size);
    given()->at = cut;
    mine->ends = 1;
    mine->until = cut;
    c->given_size = c->state_size;
}

/* ---- From one job to the next ---- */

/* The search that this process was at, and what the tool was told of the
 * program when its threads first ran: they will not run again. */
static struct {
    uint32_t tree; /* 0: it is of no use to others */
    struct native_place place;
    uint32_t unroll_site;
    uint32_t drain_count, drain_sites[CHANNEL_DRAINS_MAX];
    uint32_t await_count, awaits[CHANNEL_AWAITS_MAX];
    uint64_t extern_hits[8];
} kept;

void native_forget_kept(void)
{
    kept.tree = 0;
    put_lone(&kept.place);
}

void native_keep(void)
{
    const struct channel *c = rt.channel;

    kept.tree = c->graph.tree;
    kept.unroll_site = c->explore.unroll_site;
    kept.drain_count = c->drain_count;
    memcpy(kept.drain_sites, c->drain_sites, sizeof kept.drain_sites);
    kept.await_count = c->await_count;
    memcpy(kept.awaits, c->awaits, sizeof kept.awaits);
    memcpy(kept.extern_hits, c->extern_hits, sizeof kept.extern_hits);
}

void native_keep_more(void)
{
    if (kept.tree)
        native_keep();
}

bool native_takes_kept(void)
{
    struct channel *c = rt.channel;

    if (!kept.tree || kept.tree != c->graph.tree || !c->graph.state_size)
        return false;
    if (c->strategy != STRATEGY_GRAPH && kept.place.lone_count)
        return false; /* it draws others */
    native_take_place();
    if (!is_here(&kept.place))
        return false;
    native.late = state()->late;
    c->explore.unroll_site = kept.unroll_site;
    c->drain_count = kept.drain_count;
    memcpy(c->drain_sites, kept.drain_sites, sizeof kept.drain_sites);
    c->await_count = kept.await_count;
    memcpy(c->awaits, kept.awaits, sizeof kept.awaits);
    memcpy(c->extern_hits, kept.extern_hits, sizeof kept.extern_hits);
    return true;
}
