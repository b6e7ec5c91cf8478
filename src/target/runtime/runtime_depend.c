/* SPDX-License-Identifier: MIT
 *
 * Dependent loads, for models that reorder loads.
 *
 * A load whose address depends on an earlier load is not satisfied before it
 * on any machine but Alpha.  The instrumenter says which sites depend on which
 * (event/program.h, struct fencer_dep); here is kept, per thread and site, the
 * latest moment that was read there.  Over all instances of the site, not only
 * the one that the address came from: with --deps that may keep apart two loads
 * that hardware would not, but never reorders two that it would not.
 */
#include "runtime/runtime_depend.h"

#include <sys/mman.h>

#define SLOTS (1u << 16)

struct slot {
    uint32_t epoch, thread, site;
    uint64_t moment;
};

static struct slot *slots;
static uint32_t used, epoch;

void depend_map(void)
{
    slots = mmap(NULL, SLOTS * sizeof *slots, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    epoch = 1;
}

void depend_forget(void)
{
    epoch++;
    used = 0;
}

static struct slot *find(uint32_t thread, uint32_t site)
{
    uint32_t i = (site * 0x9e3779b1u + thread * 0x85ebca6bu) >> 16;

    while (slots[i].epoch == epoch &&
           (slots[i].thread != thread || slots[i].site != site))
        i = (i + 1) & (SLOTS - 1);
    return &slots[i];
}

void depend_note(struct thread *t, uint32_t site, uint64_t moment)
{
    struct slot *s = find(t->id, site);

    if (t->newest_read < moment)
        t->newest_read = moment;
    if (s->epoch != epoch) {
        if (used > SLOTS / 2)
            return; /* depend_moment then says: after everything */
        used++;
        *s = (struct slot){epoch, t->id, site, 0};
    }
    if (s->moment < moment)
        s->moment = moment;
}

void depend_note_own(struct thread *t, uint32_t site)
{
    depend_note(t, site, t->newest_read);
}

/* The first pair of that site, or where it would be. */
static uint64_t first_pair(uint32_t site)
{
    uint64_t low = 0, end = __fencer_program.dep_count;

    while (low < end) {
        uint64_t middle = low + (end - low) / 2;

        if (__fencer_program.deps[middle].site < site)
            low = middle + 1;
        else
            end = middle;
    }
    return low;
}

uint64_t depend_moment(const struct thread *t, uint32_t site)
{
    uint64_t latest = 0;

    for (uint64_t i = first_pair(site); i < __fencer_program.dep_count &&
                                        __fencer_program.deps[i].site == site;
         i++) {
        uint32_t source = __fencer_program.deps[i].source;
        const struct slot *s;

        if (source == DEP_ALL || used > SLOTS / 2)
            return t->newest_read;
        s = find(t->id, source);
        if (s->epoch == epoch && s->moment > latest)
            latest = s->moment;
    }
    return latest;
}
