/* SPDX-License-Identifier: MIT
 *
 * Data types whose memory is accessed by different sizes; BUG has a mistake in
 * each.  `fencer check` and `fencer verify` have to agree (check-agrees.sh).
 *
 *   k, o, b a stack of pointer and counter, exchanged by 16 bytes and read by
 *           two loads of 8; wrong without a counter: a node that comes again
 *           is taken for one that never left
 *   a, s, g a state of 32 bits in a word of 64 that is exchanged as a whole;
 *           wrong if the state is stored by itself, from what was read before
 *   w, r    four bytes of a message, written one by one and read at once,
 * behind a flag in the same word; wrong without order l       a lock byte
 * beside data in one word, which is read as a whole; wrong if the word is
 * written as a whole c       a struct that is copied under a sequence number;
 * wrong if the number is not looked at again
 */
#include <assert.h>
#include <fencer.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define LOAD atomic_load_explicit
#define STORE atomic_store_explicit

/* ---- A pointer and its counter ---- */

struct node {
    _Atomic(struct node *) next;
    int value;
};
struct top {
    struct node *first;
    uint64_t count;
};
static union {
    _Atomic struct top both;
    struct {
        _Atomic(struct node *) first;
        _Atomic uint64_t count;
    };
} stack;
static struct node nodes[2];

static struct top look(void)
{
    struct top t;

    t.count = atomic_load(&stack.count);
    t.first = atomic_load(&stack.first);
    return t;
}

static uint64_t after(uint64_t count)
{
#ifdef BUG
    return count;
#else
    return count + 1;
#endif
}

static void push(struct node *n)
{
    struct top old, new;

    do {
        old = look();
        STORE(&n->next, old.first, RELAXED);
        new = (struct top){n, after(old.count)};
    } while (!atomic_compare_exchange_strong(&stack.both, &old, new));
}

static struct node *pop(void)
{
    struct top old, new;

    do {
        old = look();
        if (!old.first)
            return NULL;
        new = (struct top){LOAD(&old.first->next, RELAXED), after(old.count)};
    } while (!atomic_compare_exchange_strong(&stack.both, &old, new));
    return old.first;
}

static struct node *kept; /* by one thread */

FENCER_OP(o)
{
    struct node *n = pop();

    fencer_observe("o", n ? n->value : 0);
}

/* Keeps it, and puts it back. */
FENCER_OP(k)
{
    kept = pop();
    fencer_observe("k", kept ? kept->value : 0);
}

FENCER_OP(b)
{
    if (kept)
        push(kept);
}

/* ---- A field of a word ---- */

static union {
    _Atomic uint64_t word;
    struct {
        _Atomic uint32_t state, users;
    };
} entry;

/* One more user, unless the entry is going. */
FENCER_OP(a)
{
    uint64_t old = LOAD(&entry.word, RELAXED);
    int gone = 0;

    do {
        gone = (uint32_t)old == 2;
    } while (!gone && !atomic_compare_exchange_strong(&entry.word, &old,
                                                      old + (1ull << 32)));
    fencer_observe("a", !gone);
}

/* The entry goes if it has no users. */
FENCER_OP(g)
{
    uint64_t old = 1;
    int gone;

#ifdef BUG
    gone = LOAD(&entry.users, RELAXED) == 0;
    if (gone)
        STORE(&entry.state, 2, RELAXED);
    (void)old;
#else
    gone = atomic_compare_exchange_strong(&entry.word, &old, 2);
#endif
    fencer_observe("g", gone);
}

/* ---- A message in a word ---- */

static union {
    _Atomic uint64_t all;
    struct {
        _Atomic uint8_t byte[4];
        _Atomic uint32_t ready;
    };
} message;

FENCER_OP(w)
{
    for (int i = 0; i < 2; i++)
        STORE(&message.byte[i], 1 + i, RELAXED);
#ifdef BUG
    STORE(&message.ready, 1, RELAXED);
#else
    STORE(&message.ready, 1, RELEASE);
#endif
}

FENCER_OP(r)
{
    uint64_t all = LOAD(&message.all, ACQUIRE);

    fencer_observe("r", all >> 32 ? (long long)(all & 0xffff) : 0);
}

/* ---- A lock byte beside data ---- */

static union {
    _Atomic uint32_t word;
    struct {
        _Atomic uint8_t lock;
        _Atomic uint8_t flag;
        _Atomic uint16_t data;
    };
} guarded;

FENCER_OP(l)
{
    while (atomic_exchange_explicit(&guarded.lock, 1, ACQUIRE))
        ;
    STORE(&guarded.data, LOAD(&guarded.data, RELAXED) + 1, RELAXED);
#ifdef BUG
    STORE(&guarded.word, LOAD(&guarded.word, RELAXED) & ~0xffu, RELEASE);
#else
    STORE(&guarded.lock, 0, RELEASE);
#endif
}

FENCER_OP(f)
{
    STORE(&guarded.flag, 1, RELAXED);
}

FENCER_OP(v)
{
    fencer_observe("flag", LOAD(&guarded.word, RELAXED) >> 8 & 1);
}

/* ---- A struct that is copied ---- */

struct pair {
    int64_t one, two;
};
static struct pair shared;
static atomic_uint sequence;

FENCER_OP(p)
{
    struct pair new = {1, 1};

    STORE(&sequence, 1, RELAXED);
    atomic_thread_fence(memory_order_seq_cst);
    shared = new;
    atomic_thread_fence(memory_order_seq_cst);
    STORE(&sequence, 2, RELAXED);
}

FENCER_OP(c)
{
    unsigned before = LOAD(&sequence, ACQUIRE);
    struct pair mine;

    atomic_thread_fence(memory_order_seq_cst);
    mine = shared;
    atomic_thread_fence(memory_order_seq_cst);
#ifndef BUG
    if (before & 1 || LOAD(&sequence, RELAXED) != before)
        mine = (struct pair){0, 0};
#endif
    fencer_observe("c", mine.one != mine.two);
}

FENCER_INIT
{
    for (int i = 0; i < 2; i++) {
        nodes[i].value = 1 + i;
        push(&nodes[i]);
    }
    entry.state = 1;
}

FENCER_TEST(tagged, "( kob | oo )");
FENCER_TEST(field, "( a | g )");
FENCER_TEST(bytes, "( w | r )");
FENCER_TEST(beside, "( l | fv )");
FENCER_TEST(copied, "( p | c )");
