/* SPDX-License-Identifier: MIT
 *
 * What a program says to Fencer through fencer.h: fences, choices, assumptions,
 * observations, atomic blocks; and the count of different outcomes.
 */
#include <string.h>
#include <sys/mman.h>

#include "runtime/driver.h"
#include "runtime/machine.h"
#include "runtime/modelled.h"
#include "runtime/native.h"
#include "runtime/runtime_hooks.h"
#include "runtime/runtime_record.h"
#include "runtime/sched.h"

#define SLOTS (1u << 17)

/* What was observed: one thread's after the other's, each in program order, so
 * that it does not matter when different threads do it. */
#define OBSERVED_MAX 4096
static char outcome[OBSERVED_MAX];
static size_t outcome_used;
static size_t observed[RT_MAX_THREADS]; /* bytes of that thread's */
static uint32_t observed_end;           /* threads below this */
/* Index + 1 into the channel's outcomes; shared with the processes that run
 * one execution each.  After them: not 0 if there is any. */
static uint32_t *slots;

HIDDEN_DOES(fencer_fence_ss, (void),
            __fencer_fence_bits(FENCE_SS, rt_take_site_known_quiet()))
HIDDEN_DOES(fencer_fence_sl, (void),
            __fencer_fence_bits(FENCE_SL, rt_take_site_known_quiet()))
HIDDEN_DOES(fencer_fence_ll, (void),
            __fencer_fence_bits(FENCE_LL, rt_take_site_known_quiet()))
HIDDEN_DOES(fencer_fence_ls, (void),
            __fencer_fence_bits(FENCE_LS, rt_take_site_known_quiet()))
HIDDEN_DOES(fencer_fence_full, (void),
            __fencer_fence_bits(FENCE_FULL, rt_take_site_known_quiet()))

HIDDEN(unsigned, fencer_choose, (unsigned n))
{
    uint32_t site = rt_take_site_known();
    unsigned chosen = n ? rt_choose(n) : 0;

    rt_event(EV_CHOOSE, NULL, 0, chosen, 0, site);
    return chosen;
}

HIDDEN(void, fencer_assume, (int c))
{
    (void)rt_take_site_known_quiet();
    if (!c)
        rt_assume_not();
}

/* One step: nobody else runs until the outermost block ends. */
HIDDEN(void, fencer_atomic_begin, (void))
{
    struct thread *t = rt.current;
    uint32_t site = rt_take_site_known_quiet();

    if (!t->atomic_depth) {
        rt_step(EV_RMW, NULL, 0, site);
        rt.now++; /* the moment of all its writes */
        t->block_begins = true;
    }
    t->atomic_depth++;
}

HIDDEN(void, fencer_atomic_end, (void))
{
    struct thread *t = rt.current;
    uint32_t site = rt_take_site_known_quiet();

    if (!t->atomic_depth)
        rt_fail(FAIL_MISUSE, site, "fencer_atomic_end without its begin");
    if (t->atomic_depth == 1 && native_is_on())
        native_end_block(site);
    t->atomic_depth--;
}

/* After what the running thread observed before.  What does not fit any more
 * is lost, at the end. */
static void append_text(const char *s)
{
    uint32_t id = rt.current->id;
    size_t at = 0, length = strlen(s), room, tail;

    for (; observed_end <= id; observed_end++)
        observed[observed_end] = 0;
    for (uint32_t i = 0; i <= id; i++)
        at += observed[i];
    room = sizeof outcome - 1 - at;
    if (length > room)
        length = room;
    tail = outcome_used - at;
    if (tail > room - length)
        tail = room - length;
    memmove(outcome + at + length, outcome + at, tail);
    memcpy(outcome + at, s, length);
    observed[id] += length;
    outcome_used = at + length + tail;
    outcome[outcome_used] = '\0';
    for (uint32_t i = id + 1; i < observed_end; i++) {
        if (observed[i] > tail)
            observed[i] = tail;
        tail -= observed[i];
    }
}

static void append_observation(const char *label, const char *number)
{
    append_text(label);
    append_text("=");
    append_text(number);
    append_text(" ");
}

/* What a graph observes comes after what the first thread did alone. */
static char lone_outcome[OBSERVED_MAX];
static size_t lone_used;
static bool lone_kept;

void observe_begin_graph(void)
{
    if (!lone_kept) {
        lone_kept = true;
        lone_used = outcome_used;
        memcpy(lone_outcome, outcome, outcome_used + 1);
    }
    outcome_used = lone_used;
    memcpy(outcome, lone_outcome, lone_used + 1);
    observed_end = 1;
    observed[0] = lone_used;
}

void observe_forget_lone(void)
{
    lone_kept = false;
}

HIDDEN(void, fencer_observe, (const char *label, long long v))
{
    uint32_t site = rt_take_site_known();
    char number[32];

    rt_print(number, sizeof number, "%l", v);
    if (native_is_on())
        native_observe(label, number, site);
    else
        append_observation(label, number);
    rt_event(EV_OBSERVE, NULL, 0, (uint64_t)v, 0, site);
}

void observe_by(uint32_t thread, const char *text)
{
    rt.current = &rt.threads[thread];
    append_text(text);
}

void observe_next_thread(void)
{
    if (native_is_on())
        native_note("| ", 0);
    else
        append_text("| ");
}

bool observe_is_empty(void)
{
    return !outcome_used;
}

static int compare(const void *spec, uint32_t i)
{
    return strcmp(outcome, ((const struct spec_text *)spec)[i].text);
}

static bool is_allowed(const void *spec, uint32_t count)
{
    uint32_t low = 0, high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare(spec, middle);

        if (order == 0)
            return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

static bool is_forbidden(void)
{
    const char *spec = (const char *)rt.channel + CHANNEL_SPEC_AT;

    return strncmp(outcome, spec, strlen(spec)) == 0;
}

bool observe_is_whole(void)
{
    return rt.channel->spec == SPEC_FORBIDDEN ||
           outcome_used <= OUTCOME_TEXT_MAX; /* a space follows the last */
}

bool observe_is_allowed(void)
{
    const struct channel *c = rt.channel;
    size_t n = outcome_used;
    char end;
    bool allowed;

    if (!n)
        return true;
    /* As the tool has them: cut, and without the space after the last. */
    if (n > OUTCOME_TEXT_MAX - 1 && c->spec != SPEC_FORBIDDEN)
        n = OUTCOME_TEXT_MAX - 1;
    while (n && outcome[n - 1] == ' ')
        n--;
    end = outcome[n];
    outcome[n] = '\0';
    if (c->spec == SPEC_FORBIDDEN)
        allowed = !is_forbidden();
    else
        allowed = is_allowed((const char *)c + CHANNEL_SPEC_AT, c->spec_count);
    outcome[n] = end;
    return allowed;
}

void observe_judge(uint32_t site)
{
    const struct channel *c = rt.channel;
    const char *spec = (const char *)c + CHANNEL_SPEC_AT;
    bool wrong = false;

    if (rt.graphs)
        native_judge();
    if (!outcome_used || native_is_on())
        return; /* or who has the whole graph judges it */
    if (outcome[outcome_used - 1] == ' ') /* after the last */
        outcome[--outcome_used] = '\0';
    if (outcome_used >= OUTCOME_TEXT_MAX &&
        (c->flags & CHANNEL_SERIAL || c->spec == SPEC_ALLOWED))
        rt_fail(FAIL_UNSUPPORTED, site,
                "an observation of more than %u characters",
                OUTCOME_TEXT_MAX - 1);
    if (c->spec == SPEC_ALLOWED)
        wrong = !is_allowed(spec, c->spec_count);
    else if (c->spec == SPEC_FORBIDDEN)
        wrong = is_forbidden();
    if (wrong)
        rt_fail(FAIL_OBSERVATION, site, "%s: %s",
                failure_kind_words(FAIL_OBSERVATION), outcome);
}

void observe_map(void)
{
    slots = mmap(NULL, (SLOTS + 1) * sizeof *slots, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

void observe_forget(void)
{
    if (slots[SLOTS])
        memset(slots, 0, (SLOTS + 1) * sizeof *slots);
}

void observe_reset(void)
{
    outcome_used = 0;
    observed_end = 0;
    outcome[0] = '\0';
}

static uint32_t hash_text(const char *s)
{
    uint32_t h = 2166136261u;

    for (uint32_t i = 0; s[i] && i < OUTCOME_TEXT_MAX - 1; i++)
        h = (h ^ (uint8_t)s[i]) * 16777619u;
    return h;
}

static uint32_t new_outcome(struct outcome *list, uint32_t slot)
{
    struct channel *c = rt.channel;

    if (c->outcome_count >= CHANNEL_OUTCOMES_MAX) {
        c->outcomes_lost++;
        return 0;
    }
    list[c->outcome_count] = (struct outcome){.count = 1, .first_run = rt.run};
    memcpy(list[c->outcome_count].text, outcome,
           strnlen(outcome, OUTCOME_TEXT_MAX - 1));
    slots[SLOTS] = 1;
    return slots[slot] = (uint32_t)++c->outcome_count;
}

uint32_t observe_count(void)
{
    struct outcome *list =
        (struct outcome *)((char *)rt.channel + CHANNEL_OUTCOMES_AT);
    uint32_t i;

    if (!outcome_used)
        return 0;
    for (i = hash_text(outcome) & (SLOTS - 1); slots[i];
         i = (i + 1) & (SLOTS - 1)) {
        struct outcome *o = &list[slots[i] - 1];

        if (strncmp(o->text, outcome, OUTCOME_TEXT_MAX - 1) == 0) {
            o->count++;
            return slots[i];
        }
    }
    return new_outcome(list, i);
}
