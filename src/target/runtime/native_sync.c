/* SPDX-License-Identifier: MIT
 *
 * Objects of the thread library in a graph.  What is in an object, a mutex say,
 * is one value: its bytes, which have a number.  An operation on it reads such
 * a value; the thread does the operation on these bytes, as it always does, and
 * what they are then is what it writes.  So the library's functions are written
 * once.  One that has to wait for another value blocks there.
 */
#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "runtime/native_inside.h"
#include "runtime/runtime_record.h"
#include "runtime/shadow.h"
#include "sync/sync.h"

#define STATES_MAX (1u << 16)

static struct state {
    uint8_t size, bytes[NATIVE_STATE_BYTES];
} *states;
static uint32_t state_count;

/* Objects of our own: how often each thread was woken; whether it is asked to
 * end; whose turn it is. */
static struct {
    uint32_t wakes[GRAPH_THREADS_MAX];
    uint32_t cancels[GRAPH_THREADS_MAX];
    uint32_t turn;
} own;

void native_forget_states(void)
{
    if (!states)
        states = mmap(NULL, STATES_MAX * sizeof *states, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MUST(states != MAP_FAILED);
    state_count = 0;
    memset(&own, 0, sizeof own);
    sync_forget_futexes();
}

uint32_t *native_wakes(uint32_t thread)
{
    MUST(thread < GRAPH_THREADS_MAX);
    return &own.wakes[thread];
}

static bool is_own(const void *object)
{
    return (uintptr_t)object - (uintptr_t)&own < sizeof own ||
           sync_is_futex(object);
}

uint64_t native_state(const void *bytes, size_t size)
{
    MUST(size <= NATIVE_STATE_BYTES);
    for (uint32_t i = 0; i < state_count; i++)
        if (states[i].size == size && !memcmp(states[i].bytes, bytes, size))
            return i;
    if (state_count == STATES_MAX) {
        native_give_up("an object with too many states", 0);
        return 0;
    }
    states[state_count].size = (uint8_t)size;
    memcpy(states[state_count].bytes, bytes, size);
    return state_count++;
}

size_t native_state_bytes(uint64_t state, void *to)
{
    MUST(state < state_count);
    memcpy(to, states[state].bytes, states[state].size);
    return states[state].size;
}

void native_will_lock(void)
{
    if (native_is_on())
        native_self()->will_lock = true;
}

/* Of a mutex that nobody asks whether it is free the search need not try who
 * finds it taken. */
static bool is_plain_lock(unsigned location, enum native_role role)
{
    if (!native_location_takes(location, role) && !native.asks_mutexes)
        native.asks_mutexes = native.restart = true;
    return role == ROLE_LOCKS && !native.asks_mutexes;
}

void native_sync(const void *object, size_t size, enum native_role role,
                 uint32_t site)
{
    struct native_thread *n = native_self();
    unsigned location;
    uint16_t cuts;

    rt.current->site = site;
    native_no_block("an object of the library in a fencer_atomic block", site);
    native_share((uint64_t)object, size);
    location =
        native_location((uint64_t)object, (unsigned)size, true, site, &cuts);
    if (n->will_lock)
        role = ROLE_LOCKS;
    n->will_lock = false;
    n->found = native_announce(
        (struct op){.kind = OP_SYNC,
                    .ghost = role == ROLE_LIBRARY,
                    .why = role == ROLE_LATE ? NATIVE_TIMES_OUT : 0,
                    .locks = is_plain_lock(location, role),
                    .expected = role == ROLE_SLEEPS,
                    .location = (uint16_t)location});
    n->object = object;
    n->object_size = (uint32_t)size;
    n->construct = C_COUNT;
    n->happened = 0;
    if (!is_own(object) && role != ROLE_LIBRARY)
        rt_touch((void *)(uintptr_t)object, size);
    MUST(n->found < state_count && states[n->found].size == size);
    memcpy((void *)(uintptr_t)object, states[n->found].bytes, size);
    *rt.view.footprint = (struct footprint){.count = 0};
}

/* To be serial is to hold a lock. */
void native_begin_serial(uint32_t site)
{
    if (!native_is_on())
        return;
    native_sync(&own.turn, sizeof own.turn, ROLE_LOCKS, site);
    if (own.turn)
        native_block(EV_LOCK, &own.turn, false);
    own.turn = 1;
    native_did(C_LOCK, &own.turn);
}

void native_end_serial(uint32_t site)
{
    if (!native_is_on())
        return;
    native_sync(&own.turn, sizeof own.turn, ROLE_UNLOCKS, site);
    own.turn = 0;
    native_did(C_UNLOCK, &own.turn);
}

void native_library(void *state, size_t size, uint32_t site)
{
    native_sync(state, size, ROLE_LIBRARY, site);
    native_did(C_RMW_RELAXED, state);
}

/* A request is seen at once, as the machine has it, and orders nothing else:
 * POSIX does not promise more. */
void native_cancel(uint32_t thread, uint32_t site)
{
    uint32_t *word = &own.cancels[thread];

    if (thread >= GRAPH_THREADS_MAX)
        native_refuse("a cancellation of what is no thread", site);
    native_library(word, sizeof *word, site);
    native_happened();
    *word = 1;
}

bool native_may_be_cancelled(void)
{
    return native_is_shared((uint64_t)&own.cancels[rt.current->id],
                            sizeof *own.cancels);
}

bool native_is_cancelled(uint32_t site)
{
    const uint32_t *word = &own.cancels[rt.current->id];

    if (!native_may_be_cancelled()) {
        native_skips();
        return false;
    }
    __fencer_count++; /* a loop that polls waits for it */
    native_library((void *)(uintptr_t)word, sizeof *word, site);
    native_happened();
    record_read(rt.current, (uint64_t)word, sizeof *word, *word);
    return *word;
}

bool native_has_trait(enum native_trait trait, bool here)
{
    if (here && !(native.traits >> trait & 1)) {
        native.traits |= 1u << trait;
        native.restart = true;
    }
    return native.traits >> trait & 1;
}

void native_look(const void *object, size_t size, uint32_t site)
{
    const struct native_thread *n = native_self();

    if ((uint64_t)object - (uint64_t)n->object >= n->object_size)
        native_sync(object, size, ROLE_OTHER, site);
}

void native_did(enum model_construct construct, const void *object)
{
    struct native_thread *n = native_self();

    if (object != n->object)
        return;
    /* The last to come to a barrier arrives and leaves in one step. */
    if (n->construct == C_POST && construct == C_WAIT)
        construct = C_RMW_ACQ_REL;
    n->construct = (uint8_t)construct;
}

void native_happened(void)
{
    native_self()->happened++;
}

static uint64_t state_now(const struct native_thread *n)
{
    return native_state(n->object, n->object_size);
}

bool native_block(enum event_kind kind, const void *object, bool timed)
{
    struct native_thread *n = native_self();

    if (object != n->object)
        native_refuse("waiting for two objects", rt.current->site);
    if (state_now(n) != n->found) {
        /* It has done something, and waits from now on. */
        native_sync(object, n->object_size, ROLE_OTHER, rt.current->site);
        return true;
    }
    if (timed)
        return false;
    native_stop(
        (struct op){.kind = OP_BLOCK,
                    .why = kind == EV_WAIT ? NATIVE_SLEEPS : NATIVE_WAITS,
                    .round = 1});
}

static enum event_order order_of(enum model_construct c)
{
    switch (c) {
    case C_LOCK:
    case C_WAIT:
        return ORDER_ACQUIRE;
    case C_UNLOCK:
    case C_POST:
        return ORDER_RELEASE;
    case C_RMW_ACQ_REL:
        return ORDER_ACQ_REL;
    default:
        return ORDER_RELAXED;
    }
}

struct effect native_take_effect(void)
{
    struct native_thread *n = native_self();
    struct effect e = {.writes = 0};
    bool said = n->construct != C_COUNT;

    if (native_block_effect(n, &e) || !n->object)
        return e;
    e.written = state_now(n);
    e.writes =
        e.written != n->found && !native.refused && native.op.kind != OP_FAIL;
    e.construct = said ? n->construct : e.writes ? C_STORE : C_LOAD;
    e.order = (uint8_t)order_of(said ? n->construct : C_COUNT);
    e.store_like = e.writes && (!said || n->construct == C_UNLOCK);
    e.happened = n->happened;
    n->object = NULL;
    n->object_size = 0;
    return e;
}
