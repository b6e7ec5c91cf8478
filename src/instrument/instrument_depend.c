/* SPDX-License-Identifier: MIT
 *
 * Which loads the address of a load depends on (--deps).
 *
 * Followed back through a function's values: arithmetic, casts, phis and
 * selects; from an argument to what the callers give, if all of them are known.
 * What comes from elsewhere, a call's result, private memory, may depend on any
 * earlier load, and is said to depend on all of them: a dependency too many
 * only hides behaviour that few machines have, one too few would be a false
 * alarm.
 *
 *     p = head;          site 3
 *     v = p->value;      site 4 depends on site 3
 *     p = p->next;       site 5 depends on sites 3 and 5
 */
#include "instrument/instrument_depend.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

#define MOST_VALUES 64 /* followed back from one address; then "all" */

struct pair {
    uint32_t item, source; /* DEP_ALL: every earlier load */
};

struct depend {
    struct map index;    /* instruction to item, + 1 */
    VEC(uint32_t) sites; /* per item; 0: none */
    VEC(struct pair) pairs;
};

static bool reads_memory(LLVMValueRef v)
{
    return LLVMIsALoadInst(v) || LLVMIsAAtomicRMWInst(v) ||
           LLVMIsAAtomicCmpXchgInst(v);
}

static bool passes_on(LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) || LLVMIsACastInst(v) ||
           LLVMIsAPHINode(v) || LLVMIsASelectInst(v) ||
           LLVMIsABinaryOperator(v) || LLVMIsAFreezeInst(v) ||
           LLVMIsAExtractValueInst(v) || LLVMIsAExtractElementInst(v);
}

/* Values still to be followed, each once. */
struct walk {
    LLVMValueRef value[MOST_VALUES];
    unsigned count;
    bool overflow;
};

static void walk_add(struct walk *w, LLVMValueRef v)
{
    for (unsigned i = 0; i < w->count; i++) {
        if (w->value[i] == v)
            return;
    }
    if (w->count == MOST_VALUES)
        w->overflow = true;
    else
        w->value[w->count++] = v;
}

static void walk_operands(struct walk *w, LLVMValueRef v)
{
    if (LLVMIsAPHINode(v)) {
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
            walk_add(w, LLVMGetIncomingValue(v, i));
        return;
    }
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        walk_add(w, LLVMGetOperand(v, (unsigned)i));
}

/* A new thread is given what was read before it began. */
static bool makes_thread(LLVMValueRef call)
{
    size_t n;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &n);

    return strcmp(name, "pthread_create") == 0 ||
           strcmp(name, "__fencer_pthread_create") == 0 ||
           strcmp(name, "thrd_create") == 0;
}

/* What all callers give.  False: not all are known. */
static bool walk_argument(struct walk *w, LLVMValueRef argument)
{
    LLVMValueRef f = LLVMGetParamParent(argument);
    unsigned n = 0;

    while (LLVMGetParam(f, n) != argument)
        n++;
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if (!LLVMIsACallInst(user))
            return false;
        if (LLVMGetCalledValue(user) != f) {
            if (!makes_thread(user))
                return false;
        } else if (n < LLVMGetNumArgOperands(user)) {
            walk_add(w, LLVMGetOperand(user, n));
        } else {
            return false;
        }
    }
    return true;
}

static void follow(struct depend *d, const struct item *items, uint32_t item,
                   LLVMValueRef address)
{
    struct walk w = {.count = 0};
    bool all = false;

    walk_add(&w, address);
    for (unsigned i = 0; i < w.count && !all; i++) {
        LLVMValueRef v = w.value[i];
        const uint64_t *at = map_get_pointer(&d->index, v);

        if (LLVMIsAConstant(v) || LLVMIsAAllocaInst(v))
            continue;
        if (reads_memory(v) && at && !items[*at - 1].from_private)
            VEC_PUSH(&d->pairs, {item, (uint32_t)(*at - 1)});
        else if (passes_on(v))
            walk_operands(&w, v);
        else if (LLVMIsAArgument(v))
            all = !walk_argument(&w, v);
        else
            all = true;
    }
    if (all || w.overflow)
        VEC_PUSH(&d->pairs, {item, DEP_ALL});
}

struct depend *depend_new(const struct item *items, size_t count)
{
    struct depend *d = calloc(1, sizeof(*d));

    CHECK(d && count < DEP_ALL);
    if (count)
        *VEC_REACH(&d->sites, count - 1) = 0;
    for (size_t i = 0; i < count; i++)
        *map_put_pointer(&d->index, items[i].inst) = i + 1;
    for (size_t i = 0; i < count; i++) {
        if (LLVMIsALoadInst(items[i].inst) && !items[i].from_private)
            follow(d, items, (uint32_t)i, LLVMGetOperand(items[i].inst, 0));
    }
    return d;
}

void depend_free(struct depend *d)
{
    map_free(&d->index);
    VEC_FREE(&d->sites);
    VEC_FREE(&d->pairs);
    free(d);
}

void depend_is_site(struct depend *d, size_t item, uint32_t site)
{
    VEC_AT(&d->sites, item) = site;
}

static int by_site(const void *left, const void *right)
{
    const struct fencer_dep *a = left, *b = right;

    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    return a->source < b->source ? -1 : a->source > b->source;
}

void depend_finish(struct depend *d, struct pass *p)
{
    p->deps = calloc(d->pairs.count + 1, sizeof(*p->deps));
    CHECK(p->deps);
    for (size_t i = 0; i < d->pairs.count; i++) {
        uint32_t site = VEC_AT(&d->sites, d->pairs.list[i].item);
        uint32_t source = d->pairs.list[i].source;

        if (source != DEP_ALL)
            source = VEC_AT(&d->sites, source);
        if (site && source)
            p->deps[p->dep_count++] = (struct fencer_dep){site, source};
    }
    qsort(p->deps, p->dep_count, sizeof(*p->deps), by_site);
}
