/* SPDX-License-Identifier: MIT
 *
 * What memory held before, for models that reorder loads (PSLO).
 *
 * Each commit gets a moment, rt.now, and leaves a record of the aligned 8-byte
 * words it changes: what the word held before, which bytes changed.  Memory at
 * an earlier moment is current memory with the later records undone.
 *
 *     word x:   [now: 3] <- rec(moment 9, before: 2) <- rec(moment 4, before:
 * 0) at 9..now: 3      at 4..8: 2      at 0..3: 0
 *
 * A thread may read any moment that is, for each byte it needs, not before its
 * floor of that byte: the moment of the version it last returned or wrote
 * (docs/models.md; Relaxer's Fig. 6 keeps the same as sets of values).  A
 * byte without a floor of its own has the thread's common one, which fences,
 * creation and join move.
 */
#include "runtime/history.h"

#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "runtime/runtime_depend.h"
#include "runtime/runtime_record.h"

#define WORDS (1u << 14)
#define FLOORS (1u << 15)
#define RECORDS (1u << 17)

struct record {
    uint64_t moment;
    uint64_t before;
    uint32_t older; /* of the same word; 0: none */
    uint32_t event; /* who wrote what `before` was replaced by */
    uint8_t bytes;  /* which of the word's eight changed */
};

struct word {
    uint64_t address;
    uint32_t epoch;
    uint32_t newest; /* index into records */
};

struct floors {
    uint64_t address;
    uint32_t epoch, thread;
    uint64_t moment[8];
};

static struct record *records; /* [0] is unused */
static uint32_t record_count;
static struct word *words;
static struct floors *floors;
static uint32_t word_count, floor_count;
static uint32_t epoch;

void history_map(void)
{
    size_t size = RECORDS * sizeof *records + WORDS * sizeof *words +
                  FLOORS * sizeof *floors;
    char *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    records = (struct record *)at;
    words = (struct word *)(at + RECORDS * sizeof *records);
    floors = (struct floors *)(words + WORDS);
    record_count = 1;
    epoch = 1;
    depend_map();
}

void history_forget(void)
{
    epoch++;
    record_count = 1;
    word_count = floor_count = 0;
    depend_forget();
    for (uint32_t i = 0; i < rt.thread_count; i++)
        rt.threads[i].floor = rt.now;
}

uint32_t history_epoch(void)
{
    return epoch;
}

static uint32_t hash(uint64_t address)
{
    return (uint32_t)((address >> 3) * 0x9e3779b97f4a7c15ull >> 40);
}

/* The word's entry, or the free place where it belongs. */
static struct word *find_word(uint64_t address)
{
    uint32_t i = hash(address) & (WORDS - 1);

    while (words[i].epoch == epoch && words[i].address != address)
        i = (i + 1) & (WORDS - 1);
    return &words[i];
}

static uint32_t newest_of(uint64_t address)
{
    const struct word *w = find_word(address);

    return w->epoch == epoch ? w->newest : 0;
}

static struct floors *find_floors(uint64_t address, uint32_t thread)
{
    uint32_t i = (hash(address) + thread * 0x9e37u) & (FLOORS - 1);

    while (floors[i].epoch == epoch &&
           (floors[i].address != address || floors[i].thread != thread))
        i = (i + 1) & (FLOORS - 1);
    return &floors[i];
}

static void raise_floors(const struct thread *t, uint64_t address,
                         uint8_t bytes, const uint64_t *moments)
{
    struct floors *f = find_floors(address, t->id);

    if (f->epoch != epoch) {
        memset(f, 0, sizeof *f);
        f->address = address;
        f->thread = t->id;
        f->epoch = epoch;
        MUST(floor_count < FLOORS - 1); /* a place is always free */
        floor_count++;
    }
    for (unsigned b = 0; b < 8; b++)
        if (bytes >> b & 1 && moments[b] > f->moment[b])
            f->moment[b] = moments[b];
}

/* The part of an access that lies in one word. */
struct piece {
    uint64_t word;
    uint8_t bytes;
};

static unsigned pieces(uint64_t address, uint32_t need, struct piece *out)
{
    uint64_t wide = (uint64_t)need << (address & 7);
    uint64_t word = address & ~7ull;
    unsigned n = 0;

    for (; wide; wide >>= 8, word += 8)
        if (wide & 0xff)
            out[n++] = (struct piece){word, (uint8_t)wide};
    return n;
}

void history_note(struct thread *t, uint64_t address, unsigned size,
                  uint32_t event)
{
    struct piece p[3] = {{0, 0}};
    unsigned n = pieces(address, (1u << size) - 1, p);
    uint64_t moments[8];

    /* Forgetting is always allowed: everybody then reads current memory. */
    if (record_count + 3 > RECORDS || word_count > WORDS / 2 ||
        floor_count > FLOORS / 2) {
        history_forget();
        rt.view.lossy = true;
    }
    for (unsigned b = 0; b < 8; b++)
        moments[b] = rt.now;
    for (unsigned i = 0; i < n; i++) {
        struct word *w = find_word(p[i].word);
        struct record *r = &records[record_count];

        MUST(record_count < RECORDS);
        if (w->epoch != epoch) {
            *w = (struct word){p[i].word, epoch, 0};
            word_count++;
        }
        MUST(!w->newest || records[w->newest].moment <= rt.now);
        r->moment = rt.now;
        memcpy(&r->before, (const void *)p[i].word, 8);
        r->older = w->newest;
        r->bytes = p[i].bytes;
        r->event = event;
        w->newest = record_count++;
        if (!MUTANT(1)) /* never older than its own last committed store */
            raise_floors(t, p[i].word, p[i].bytes, moments);
    }
}

static uint64_t lowest_moment(const struct thread *t, const struct piece *p,
                              unsigned n)
{
    uint64_t low = t->floor;

    for (unsigned i = 0; i < n; i++) {
        const struct floors *f = find_floors(p[i].word, t->id);

        if (f->epoch != epoch)
            continue;
        for (unsigned b = 0; b < 8; b++)
            if (p[i].bytes >> b & 1 && f->moment[b] > low)
                low = f->moment[b];
    }
    return low;
}

/* The newest record older than `at` that changed a needed byte, over all
 * pieces: its moment, or 0. */
static uint64_t last_change(const struct piece *p, unsigned n, uint64_t at)
{
    uint64_t best = 0;

    for (unsigned i = 0; i < n; i++) {
        uint32_t r = newest_of(p[i].word);

        while (r &&
               (records[r].moment >= at || !(records[r].bytes & p[i].bytes)))
            r = records[r].older;
        /* Of several writes that make up one value, the order matters. */
        if (r && (n > 1 || p[i].bytes & ~records[r].bytes))
            rt.view.writes_ordered = true;
        if (r && records[r].moment > best)
            best = records[r].moment;
    }
    return best;
}

/* The moment of the view-th newest view, `*view` becoming how many there are
 * if that is fewer.  View k > 0 is the moment just before the k-th newest
 * change. */
static uint64_t moment_of(const struct thread *t, const struct piece *p,
                          unsigned n, uint64_t low, uint32_t *view)
{
    uint64_t own = lowest_moment(t, p, n), at = rt.now + 1;
    uint32_t k = 0;

    if (low < own)
        low = own;
    while (k < *view) {
        uint64_t change = last_change(p, n, at);

        /* Seen from before `change`, bytes are older than the floor. */
        if (change <= low)
            break;
        at = change;
        k++;
    }
    *view = k;
    MUST(at > low); /* older than no floor, and no floor in the future */
    return at - 1;
}

uint32_t history_views(const struct thread *t, uint64_t address, uint32_t need,
                       uint64_t low)
{
    struct piece p[3] = {{0, 0}};
    unsigned n = pieces(address, need, p);
    uint32_t views = HISTORY_CHOICES - 1;

    moment_of(t, p, n, low, &views);
    if (views == HISTORY_CHOICES - 1)
        rt.view.lossy = true;
    return views + 1;
}

uint32_t history_changes(uint64_t address, uint32_t need, uint64_t moment)
{
    struct piece p[3] = {{0, 0}};
    unsigned n = pieces(address, need, p);
    uint32_t count = 0;

    for (uint64_t at = last_change(p, n, rt.now + 1); at > moment;
         at = last_change(p, n, at))
        count++;
    return count;
}

static void word_at(const struct piece *p, uint64_t moment, uint8_t *bytes)
{
    uint32_t r = newest_of(p->word);

    memcpy(bytes, (const void *)p->word, 8);
    for (; r && records[r].moment > moment; r = records[r].older)
        memcpy(bytes, &records[r].before, 8);
}

/* The record of the version that a byte has at that moment; 0: the first. */
static uint32_t version_at(uint64_t word, unsigned byte, uint64_t moment)
{
    uint32_t r = newest_of(word);

    while (r && (records[r].moment > moment || !(records[r].bytes >> byte & 1)))
        r = records[r].older;
    return r;
}

struct history_taken history_take(struct thread *t, uint64_t address,
                                  uint32_t need, uint32_t view, uint8_t *out)
{
    struct piece p[3] = {{0, 0}};
    unsigned n = pieces(address, need, p);
    uint32_t wanted = view;
    uint64_t moment = moment_of(t, p, n, 0, &view);
    struct history_taken taken = {0, 0};
    bool first = true; /* the writer is that of the byte written last */

    MUST(view == wanted);
    for (unsigned i = 0; i < n; i++) {
        uint8_t bytes[8];
        uint64_t moments[8] = {0};

        word_at(&p[i], moment, bytes);
        for (unsigned b = 0; b < 8; b++) {
            uint32_t r;

            if (!(p[i].bytes >> b & 1))
                continue;
            r = version_at(p[i].word, b, moment);
            moments[b] = r ? records[r].moment : 0;
            out[p[i].word + b - address] = bytes[b];
            if ((first || taken.since < moments[b]) && rt.tracing)
                taken.writer =
                    r ? records[r].event : record_writer_before(p[i].word + b);
            if (taken.since < moments[b])
                taken.since = moments[b];
            first = false;
        }
        if (newest_of(p[i].word) && !MUTANT(2)) /* never older than returned */
            raise_floors(t, p[i].word, p[i].bytes, moments);
    }
    MUST(taken.since <= moment);
    return taken;
}
