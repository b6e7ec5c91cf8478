/* SPDX-License-Identifier: MIT
 *
 * Does anybody read what a failing round left in its thread's own memory?
 *
 * A round that only changed memory which is written again before it is read
 * changed nothing that matters.  Whether it is so is not computed: it is
 * believed until it is refuted.  A loop *relies* on a byte when a round of it
 * is taken for an await although the byte is another now.  A byte is *live* at
 * a loop when some thread passed the loop's header and then read the byte
 * without having written it in between.  A byte that is both is known from then
 * on, rounds that change it are no awaits, and the search begins again.
 *
 * That is exact.  Say that the search is over, and that in some execution E a
 * byte is read which rounds that were left out had changed, for the first time.
 * Leave out of E all rounds that the search leaves out: nobody reads what they
 * changed up to there, so all else stays as it is.  What is left passes the
 * header of that loop (before a round it left out there was one, too), then
 * reads the byte, with no write in between.  It has no such rounds, so the
 * search has seen it, and the byte is live: it would be known.
 *
 * Where several explore parts of one tree, what one relies on may be live in
 * the part of another: the tool compares (verify/graphs_parts.c).
 */
#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "runtime/carried.h"
#include "runtime/native_inside.h"

#define LOOPS_MAX 64
#define WORDS (1u << 14)
#define FACTS (2 * NATIVE_FACTS_MAX)

/* Where a thread of the execution under way has been.  Its own time counts
 * headers passed and writes. */
struct history {
    uint64_t execution;
    uint32_t now;
    uint32_t loop_count;
    struct {
        uint32_t loop, at, entered;
    } loops[LOOPS_MAX];
};

static struct history histories[GRAPH_THREADS_MAX];

/* When a thread wrote the bytes of a word last, in its time.  (All have the
 * same errno, each for itself.) */
static struct written {
    uint64_t word, execution;
    uint32_t thread;
    uint32_t at[8];
} *written;

/* Of a loop and a word; word 0 stands for memory that nobody can name. */
static struct channel_fact *facts;
static uint32_t fact_count;

static void *map(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    MUST(at != MAP_FAILED);
    return at;
}

static struct history *history(void)
{
    struct history *h = &histories[rt.current->id];

    if (h->execution != rt.serial)
        *h = (struct history){.execution = rt.serial, .now = 1};
    return h;
}

struct native_part native_own_part(uint32_t thread)
{
    const struct history *h = &histories[thread];

    return (struct native_part){&histories[thread],
                                offsetof(struct history, loops) +
                                    h->loop_count * sizeof *h->loops};
}

static uint32_t place_of_loop(struct history *h, uint32_t loop)
{
    uint32_t i = 0;

    while (i < h->loop_count && h->loops[i].loop != loop)
        i++;
    if (i == LOOPS_MAX)
        native_refuse("a thread that passes too many loops", rt.current->site);
    if (i == h->loop_count) {
        h->loops[h->loop_count].loop = loop;
        h->loops[h->loop_count++].entered = 0;
    }
    return i;
}

void native_pass_loop(uint32_t loop, bool enters)
{
    struct history *h = history();
    uint32_t i = place_of_loop(h, loop);

    h->loops[i].at = ++h->now;
    h->loops[i].entered += enters;
    native_redo_passes(loop, h->loops[i].entered);
}

uint32_t native_entered(uint32_t loop)
{
    struct history *h = history();

    return h->loops[place_of_loop(h, loop)].entered;
}

/* ---- When it was written ---- */

/* The place of that word in this execution, or where it would be; NULL: there
 * is no room, which is as if it had not been written. */
static struct written *find_written(uint64_t word)
{
    uint32_t thread = rt.current->id;
    uint32_t i =
        (uint32_t)((word + thread) * 0x9e3779b97f4a7c15ull >> 40) % WORDS;

    if (!written)
        written = map(WORDS * sizeof *written);
    for (uint32_t tries = 0; tries < 64; tries++, i = (i + 1) % WORDS)
        if (written[i].execution != rt.serial ||
            (written[i].word == word && written[i].thread == thread))
            return &written[i];
    return NULL;
}

static uint32_t written_at(uint64_t address)
{
    const struct written *w = find_written(address & ~7ull);

    return w && w->execution == rt.serial ? w->at[address & 7] : 0;
}

void native_own_write(uint64_t address, uint64_t size)
{
    struct history *h = history();

    native_leaves_trace();
    h->now++;
    for (uint64_t a = address; a < address + size; a++) {
        struct written *w = find_written(a & ~7ull);

        if (!w)
            continue;
        if (w->execution != rt.serial)
            *w = (struct written){.word = a & ~7ull,
                                  .execution = rt.serial,
                                  .thread = rt.current->id};
        w->at[a & 7] = h->now;
    }
}

/* ---- Facts ---- */

static struct channel_fact *find_fact(uint32_t loop, uint64_t word)
{
    uint32_t i =
        (uint32_t)((word ^ (uint64_t)loop << 48) * 0x9e3779b97f4a7c15ull >>
                   40) %
        FACTS;

    if (!facts)
        facts = map(FACTS * sizeof *facts);
    while (facts[i].loop && (facts[i].loop != loop || facts[i].word != word))
        i = (i + 1) % FACTS;
    if (facts[i].loop)
        return &facts[i];
    if (++fact_count == NATIVE_FACTS_MAX)
        native_refuse("loops that leave too much behind", rt.current->site);
    facts[i] = (struct channel_fact){.loop = loop, .word = word};
    return &facts[i];
}

/* What is live and relied on is known from now on. */
static void compare(struct channel_fact *f)
{
    uint8_t both = f->live & f->relied & (uint8_t)~f->known;

    if (!both)
        return;
    f->known |= both;
    native.restart = true;
}

static void is_live(uint32_t loop, uint64_t word, uint8_t bytes)
{
    struct channel_fact *f = find_fact(loop, word);

    f->live |= bytes;
    compare(f);
}

void native_own_read(uint64_t address, uint64_t size)
{
    const struct history *h = history();

    for (uint32_t i = 0; i < h->loop_count; i++) {
        if (!size)
            is_live(h->loops[i].loop, 0, 1);
        for (uint64_t a = address; a < address + size; a++)
            if (h->loops[i].at > written_at(a))
                is_live(h->loops[i].loop, a & ~7ull, (uint8_t)(1u << (a & 7)));
    }
}

/* ---- Awaits ---- */

static bool is_not_known(void *context, uint64_t word, uint8_t changed)
{
    const uint32_t *loop = context;

    return !(find_fact(*loop, word)->known & changed) &&
           !find_fact(*loop, 0)->known;
}

static bool rely_on(void *context, uint64_t word, uint8_t changed)
{
    const uint32_t *loop = context;
    struct channel_fact *f = find_fact(*loop, word);
    struct channel_fact *any = find_fact(*loop, 0);

    f->relied |= changed;
    any->relied = 1;
    compare(f);
    compare(any);
    return true;
}

bool native_forgets(uint32_t loop, uint32_t mark)
{
    if (!carried_is_known(rt.current, mark) ||
        !carried_each_change(rt.current, mark, is_not_known, &loop))
        return false;
    carried_each_change(rt.current, mark, rely_on, &loop);
    return true;
}

/* A loop that gives up has one fact more: rounds of it changed something. */
#define ROUNDS 1 /* no address of 8 bytes */

bool native_round_is_idle(uint32_t loop, bool changed_nothing)
{
    struct channel_fact *f = find_fact(loop, ROUNDS);

    if (changed_nothing && !f->known)
        f->relied = 1;
    if (!changed_nothing)
        f->live = 1;
    compare(f);
    return changed_nothing && !f->known;
}

/* ---- What is kept ---- */

uint32_t native_facts(struct channel_fact *to, uint32_t max)
{
    uint32_t count = 0;

    for (uint32_t i = 0; count < fact_count && i < FACTS && count < max; i++)
        if (facts[i].loop)
            to[count++] = facts[i];
    return count;
}

/* A search that begins has seen nothing: what is known stays. */
void native_forget_seen(void)
{
    for (uint32_t i = 0; fact_count && i < FACTS; i++)
        facts[i].live = facts[i].relied = 0;
}

void native_take_facts(const struct channel_fact *from, uint32_t count)
{
    if (fact_count)
        memset(facts, 0, FACTS * sizeof *facts);
    fact_count = 0;
    MUST(count < NATIVE_FACTS_MAX);
    for (uint32_t i = 0; i < count; i++)
        *find_fact(from[i].loop, from[i].word) = from[i];
}
