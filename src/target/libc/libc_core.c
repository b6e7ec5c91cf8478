/* SPDX-License-Identifier: MIT
 *
 * What all models of C library functions share: entering a call, moving bytes
 * between private and shared memory, and the policy for calls that have no
 * model.
 */
#include "libc/libc.h"

#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <string.h>

#include "runtime/carried.h"
#include "runtime/driver.h"
#include "runtime/footprint.h"
#include "runtime/layout.h"
#include "runtime/machine.h"
#include "runtime/native.h"
#include "runtime/runtime_record.h"
#include "runtime/sched.h"
#include "sync/sync.h"

#define CONSTANT_MAX 4

/* Read-only segments of the program itself. */
static struct {
    uint64_t start, end;
} constant[CONSTANT_MAX];
static unsigned constant_count;
static bool uses_state; /* in this execution */

/* The first object that dl_iterate_phdr names is the program. */
static int find_constant(struct dl_phdr_info *info, size_t size, void *none)
{
    (void)size;
    (void)none;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];

        if (p->p_type != PT_LOAD || p->p_flags & PF_W)
            continue;
        if (constant_count == CONSTANT_MAX)
            break;
        constant[constant_count].start = info->dlpi_addr + p->p_vaddr;
        constant[constant_count].end =
            info->dlpi_addr + p->p_vaddr + p->p_memsz;
        constant_count++;
    }
    return 1;
}

bool libc_is_constant(const void *address)
{
    uint64_t a = (uint64_t)address;

    for (unsigned i = 0; i < constant_count; i++)
        if (a - constant[i].start < constant[i].end - constant[i].start)
            return true;
    return false;
}

/* Once: where constants lie, and libc's own heap in one piece, so that a
 * pointer into it is recognised (libc_heap.c). */
static void start(void)
{
    static bool started;

    if (started)
        return;
    started = true;
    dl_iterate_phdr(find_constant, NULL);
    mallopt(M_MMAP_MAX, 0);
}

void libc_reset(void)
{
    start();
    uses_state = false;
    libc_reset_exit();
    libc_reset_input();
    libc_reset_membarrier();
    libc_reset_random();
    libc_reset_signals();
    libc_reset_stdio();
    libc_reset_string();
    libc_reset_time();
    libc_reset_timers();
    libc_reset_process();
    if (!rt.graphs) /* there they belong to the search */
        sync_forget_futexes();
    errno = 0;
}

/* ---- Entering ---- */

void libc_needs_process(const char *name)
{
    uses_state = true;
    rt_needs_process(name);
    libc_change_world();
}

bool libc_uses_state(void)
{
    return uses_state;
}

/* It acts as a full fence, which the real call may not be: that is said. */
static void drain_known(uint32_t site)
{
    rt_drain_and_cut();
    rt_event(EV_CALL, NULL, 0, 0, 0, site);
    libc_note_drain(site);
}

/* The same, and what follows may look at any memory. */
static void drain(uint32_t site)
{
    footprint_all();
    drain_known(site);
}

void libc_drain(uint32_t site)
{
    if (rt.dense)
        rt_step(EV_CALL, NULL, 0, site);
    drain(site);
}

void libc_drain_known(uint32_t site)
{
    if (rt.dense)
        rt_step(EV_CALL, NULL, 0, site);
    drain_known(site);
}

void libc_note_drain(uint32_t site)
{
    struct channel *c = rt.channel;

    if (!rt.multi || !rt_site(site)->line)
        return;
    for (uint32_t i = 0; i < c->drain_count; i++)
        if (c->drain_sites[i] == site)
            return;
    if (c->drain_count < CHANNEL_DRAINS_MAX)
        c->drain_sites[c->drain_count++] = site;
}

/* In which order threads call is no question to a strategy that explores: what
 * they touch is. */
uint32_t libc_enter_quiet(void)
{
    uint32_t site = rt_take_site_known_quiet();

    if (!rt.strategy->explores)
        rt_step(EV_YIELD, NULL, 0, site);
    return site;
}

uint32_t libc_enter(void)
{
    __fencer_count++;
    record_effect(rt_self());
    return libc_enter_quiet();
}

uint32_t libc_enter_draining(void)
{
    uint32_t site = rt_take_site();

    rt_step(EV_CALL, NULL, 0, site);
    drain(site);
    return site;
}

uint32_t libc_enter_draining_known(void)
{
    uint32_t site;

    if (!rt.strategy->explores)
        return libc_enter_draining();
    site = rt_take_site_known();
    rt_step(EV_CALL, NULL, 0, site);
    drain_known(site);
    return site;
}

uint32_t libc_enter_state(const char *name)
{
    uint32_t site = libc_enter_draining();

    libc_needs_process(name);
    return site;
}

void libc_state(void *state, size_t size, uint32_t site)
{
    if (!native_is_on() && rt.dense)
        rt_step(EV_RMW, state, 8, site);
    sync_state(state, size, site);
    footprint_change((uint64_t)state, size);
}

/* ---- Moving bytes ---- */

/* Locals and thread-local variables of the running thread. */
bool libc_is_own(const void *address)
{
    uint64_t slot = FIBER_AT + rt_self()->id * FIBER_SIZE;

    return (uint64_t)address - slot < FIBER_SIZE;
}

/* Instrumented code accesses those that do not escape without hooks, so a store
 * to them must not wait in the buffer.  Where the call's site does not tell
 * which kind it is, the call drains: the store could overtake others. */
static bool is_private(const void *address, uint32_t site)
{
    return libc_is_own(address) && rt_site(site)->size != CALL_WRITES_SHARED;
}

static void settle_private(const void *address, size_t count, uint32_t site)
{
    if (rt_site(site)->size == CALL_WRITES_PRIVATE)
        rt_drain_range((uint64_t)address, count);
    else
        drain_known(site);
}

bool libc_watched(void)
{
    return rt.dense || rt.tracing || rt.view.log;
}

bool libc_is_unseen(void)
{
    return (!libc_watched() || !rt.multi) && !rt_self()->buffered;
}

/* Memory of a thread's own that a round of a loop may leave as it was
 * (runtime/carried.h). */
static void out_private(void *to, const void *from, size_t count, uint32_t site)
{
    rt_check_range(to, count, true, site);
    __fencer_count++;
    carried_note_write((uint64_t)to, count);
    if (native_is_on())
        native_call_writes((uint64_t)to, count, site);
    else
        rt_touch(to, count);
    memmove(to, from, count);
}

/* While nobody watches accesses, a range is one move. */
static void out_unseen(void *to, const void *from, size_t count, uint32_t site)
{
    rt_check_range(to, count, true, site);
    rt_touch(to, count);
    memmove(to, from, count);
    __fencer_count++;
    record_effect(rt_self());
    if (rt.awaiting)
        sched_memory_changed((uint64_t)to, (unsigned)count);
}

void libc_out(void *to, const void *from, size_t count, uint32_t site)
{
    if (!count)
        return;
    if (libc_watched() && !is_private(to, site)) {
        /* As a whole first, so that a bad range fails alike in a trace. */
        rt_check_range(to, count, true, site);
        machine_copy_in(to, from, count, site);
        return;
    }
    if (!libc_watched()) {
        rt_drain_and_cut();
        out_unseen(to, from, count, site);
        return;
    }
    settle_private(to, count, site);
    if (rt_site(site)->size == CALL_WRITES_PRIVATE)
        out_private(to, from, count, site);
    else
        out_unseen(to, from, count, site);
}

/* What is on the own stack need not be asked for step by step: only own stores
 * to it go first.  In a graph what others touch is not in memory. */
static bool is_in_memory(const void *address, size_t count)
{
    return libc_is_own(address) &&
           !(native_is_on() && native_is_shared((uint64_t)address, count));
}

void libc_in(void *to, const void *from, size_t count, uint32_t site)
{
    if (libc_is_constant(from)) {
        memcpy(to, from, count);
        return;
    }
    if (libc_watched() && !is_in_memory(from, count)) {
        rt_check_range(from, count, false, site);
        machine_copy_out(from, to, count, site);
        return;
    }
    footprint_read((uint64_t)from, count);
    rt_drain_range((uint64_t)from, count);
    rt_check_range(from, count, false, site);
    memcpy(to, from, count);
}

/* Byte by byte: what comes after the NUL is not read. */
static bool load_text(struct libc_text *t, size_t max, uint32_t site)
{
    for (size_t n = 0; n < sizeof t->room; n++) {
        if (n == max)
            t->room[n] = 0;
        else
            libc_in(&t->room[n], t->from + n, 1, site);
        if (!t->room[n])
            return true;
    }
    return false;
}

const char *libc_text(struct libc_text *t, const char *from, size_t max,
                      uint32_t site)
{
    t->from = t->text = from;
    if (libc_is_constant(from))
        return from;
    if (!libc_is_unseen()) {
        if (load_text(t, max, site))
            return t->text = t->room;
        drain(site); /* it is too long */
    }
    libc_reads(from, max ? 1 : 0, site);
    max = strnlen(from, max);
    libc_reads(from, max, site);
    return from;
}

char *libc_text_at(const struct libc_text *t, const char *place)
{
    return place ? (char *)t->from + (place - t->text) : NULL;
}

void libc_copy(void *to, const void *from, size_t count, uint32_t site)
{
    bool up = (uint64_t)to - (uint64_t)from >= count;

    if (!libc_watched()) {
        libc_reads(from, count, site);
        libc_out(to, from, count, site);
        return;
    }
    for (size_t done = 0, n; done < count; done += n) {
        char piece[64];
        size_t at;

        n = count - done < sizeof piece ? count - done : sizeof piece;
        at = up ? done : count - done - n;
        libc_in(piece, (const char *)from + at, n, site);
        libc_out((char *)to + at, piece, n, site);
    }
}

void libc_fill(void *to, int byte, size_t count, uint32_t site)
{
    char piece[64];

    memset(piece, byte, sizeof piece);
    for (size_t done = 0; done < count; done += sizeof piece)
        libc_out((char *)to + done, piece,
                 count - done < sizeof piece ? count - done : sizeof piece,
                 site);
}

void libc_reads(const void *from, size_t count, uint32_t site)
{
    if (!count || libc_is_constant(from))
        return;
    footprint_read((uint64_t)from, count);
    rt_check_range(from, count, false, site);
}

/* Freed memory stays mapped, so measuring text before checking it is safe;
 * a null or wild pointer is found by its first byte. */
void libc_reads_text(const char *text, uint32_t site)
{
    if (libc_is_constant(text))
        return;
    rt_check_range(text, 1, false, site);
    libc_reads(text, strlen(text) + 1, site);
}

void libc_writes(void *to, size_t count, uint32_t site)
{
    if (!count)
        return;
    rt_check_range(to, count, true, site);
    rt_touch(to, count);
    record_effect(rt_self());
}

void libc_wrote(void *to, size_t count, uint32_t site)
{
    rt_check_range(to, count, true, site);
    if (count)
        rt_touch(to, count);
    record_effect(rt_self());
    if (count && rt.awaiting)
        sched_memory_changed((uint64_t)to, (unsigned)count);
}

/* ---- Calls without a model ---- */

bool libc_others_can_run(void)
{
    for (uint32_t i = 0; i < rt.thread_count; i++) {
        const struct thread *t = &rt.threads[i];

        /* Who explores lets nobody run that would only wait. */
        if (t != rt_self() && t->state == THREAD_READY &&
            !(rt.strategy->explores && rt.view.would_wait(i)))
            return true;
    }
    return rt.view.timed_count > 0;
}

void libc_refuse_block(const char *name, uint32_t site)
{
    rt_fail(FAIL_UNSUPPORTED, site,
            "%s() would stop every thread: nothing that Fencer controls can "
            "end the wait",
            name);
}

void libc_before_external(const struct fencer_extern *x, uint32_t site)
{
    /* Without the tool the program is itself, and may do anything. */
    if (driver_is_standalone()) {
        uses_state = true;
        return;
    }
    switch ((enum extern_class)x->class) {
    case EXTERN_UNKNOWN: /* its own variables are not ours to reset */
    case EXTERN_STATE:
        libc_needs_process(x->name);
        break;
    case EXTERN_BLOCKS:
        rt_fail(FAIL_UNSUPPORTED, site,
                "%s() may stop every thread and has no model: Fencer cannot "
                "run it",
                x->name);
    case EXTERN_REFUSED:
        rt_fail(FAIL_UNSUPPORTED, site, "%s(): Fencer cannot run it", x->name);
    case EXTERN_MODELLED:
    case EXTERN_PURE:
    case EXTERN_READS:
    case EXTERN_DRAINS:
        break;
    }
}
