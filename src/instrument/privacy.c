/* SPDX-License-Identifier: MIT
 *
 * Which memory only its own thread can know: locals and thread-local
 * variables whose address goes nowhere.  They are accessed without hooks.
 *
 * Every pointer of the program belongs to a class; two pointers that may
 * designate the same object share one.  So an address and what is computed
 * from it, a phi and what flows into it, a parameter and what is passed for
 * it, are united (union-find, as in Steensgaard's analysis).  A class that
 * holds a pointer from memory, from an integer or from a library, or one that
 * is stored, returned, or kept by a library function, is shared, as a whole.
 *
 * That "as a whole" is what soundness needs.  A store by a hook may sit in a
 * store buffer, where an access without a hook would not see it: so either
 * all accesses to an object go through hooks, or none.
 *
 * Atomic accesses are always hooks (they are fences, too), so their targets
 * are shared.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "event/externs.h"
#include "instrument/pass.h"

#define SHARED 0 /* the class of all that is known to be shared */

struct privacy {
    struct map nodes;      /* value to node */
    VEC(uint32_t) parents; /* none has a parent with a larger number */
    struct map carried;    /* classes, see privacy_carry */
    uint32_t library;      /* the class of the library's memory of a thread */
};

/* ---- union-find; SHARED absorbs ---- */

static uint32_t find_root(struct privacy *s, uint32_t node)
{
    uint32_t *parents = s->parents.list;

    CHECK(node < s->parents.count);
    while (parents[node] != node) {
        CHECK(parents[node] < node);
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    return node;
}

static void unite(struct privacy *s, uint32_t a, uint32_t b)
{
    a = find_root(s, a);
    b = find_root(s, b);
    if (a < b)
        s->parents.list[b] = a;
    else
        s->parents.list[a] = b;
}

static uint32_t new_node(struct privacy *s)
{
    VEC_PUSH(&s->parents, (uint32_t)s->parents.count);
    return VEC_LAST(&s->parents);
}

static bool is_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

/* Pointers to nothing: they say nothing about a class. */
static bool is_nothing(LLVMValueRef v)
{
    return LLVMIsAConstantPointerNull(v) || LLVMIsUndef(v) || LLVMIsPoison(v);
}

static bool is_own_thread_local(LLVMValueRef v)
{
    return LLVMIsAGlobalVariable(v) && LLVMIsThreadLocal(v) &&
           !LLVMIsDeclaration(v);
}

static uint32_t node_of(struct privacy *s, LLVMValueRef v)
{
    if (LLVMIsConstant(v) && !is_own_thread_local(v))
        return SHARED;

    uint64_t *node = map_put_pointer(&s->nodes, v);

    if (!*node)
        *node = new_node(s) + 1ull;
    return (uint32_t)(*node - 1);
}

static void share(struct privacy *s, LLVMValueRef v)
{
    if (is_pointer(v) && !is_nothing(v))
        unite(s, SHARED, node_of(s, v));
}

static void join_nodes(struct privacy *s, LLVMValueRef a, LLVMValueRef b)
{
    if (!is_nothing(a) && !is_nothing(b))
        unite(s, node_of(s, a), node_of(s, b));
}

/* ---- Functions that somebody unknown may call ---- */

static bool only_called(LLVMValueRef function)
{
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function ||
            LLVMGetCalledFunctionType(user) != LLVMGlobalGetValueType(function))
            return false;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++) {
            if (LLVMGetArgOperand(user, i) == function)
                return false;
        }
    }
    return true;
}

static bool is_local(LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);

    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

bool privacy_is_open(struct pass *p, LLVMValueRef function)
{
    return !only_called(function) ||
           strcmp(ir_name(p, function), "main") == 0 ||
           (p->open && !is_local(function));
}

static bool has_attribute(struct pass *p, LLVMValueRef function,
                          unsigned parameter, enum attribute which)
{
    return LLVMGetEnumAttributeAtIndex(function, parameter + 1,
                                       p->attribute[which]) != NULL;
}

static void visit_parameters(struct pass *p, LLVMValueRef function)
{
    struct privacy *s = p->privacy;
    bool open = privacy_is_open(p, function);

    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        /* byval: a copy of its own, like a local. */
        if (open && !has_attribute(p, function, i, ATTRIBUTE_BYVAL))
            share(s, LLVMGetParam(function, i));
    }
}

/* ---- Instructions ---- */

static void share_arguments(struct privacy *s, LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        share(s, LLVMGetArgOperand(call, i));
    share(s, call);
}

static void visit_own_call(struct pass *p, LLVMValueRef call,
                           LLVMValueRef function)
{
    struct privacy *s = p->privacy;
    unsigned known = LLVMCountParams(function);

    if (LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(function)) {
        share_arguments(s, call);
        return;
    }
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetArgOperand(call, i);

        if (!is_pointer(argument))
            continue;
        if (i >= known)
            share(s, argument);
        else if (!has_attribute(p, function, i, ATTRIBUTE_BYVAL))
            join_nodes(s, argument, LLVMGetParam(function, i));
    }
    share(s, call);
}

/* The library's own memory of the running thread: errno.  The fiber switch
 * keeps its value, so it is nobody else's. */
static bool is_thread_own(const char *name)
{
    return strcmp(name, "__errno_location") == 0 ||
           strcmp(name, "__h_errno_location") == 0 ||
           strcmp(name, "__ctype_b_loc") == 0 ||
           strcmp(name, "__ctype_tolower_loc") == 0 ||
           strcmp(name, "__ctype_toupper_loc") == 0;
}

static void visit_library_call(struct pass *p, LLVMValueRef call,
                               LLVMValueRef function)
{
    struct privacy *s = p->privacy;
    const struct extern_row *row = extern_find(ir_name(p, function));
    /* strchr, fgets and their like return what they were given. */
    bool returns = is_pointer(call) && LLVMGetFirstUse(call);

    if (is_thread_own(ir_name(p, function))) {
        unite(s, s->library, node_of(s, call));
        return;
    }
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        if (!row || returns || extern_captures(row, i))
            share(s, LLVMGetArgOperand(call, i));
    }
    share(s, call);
}

static void visit_intrinsic(struct privacy *s, LLVMValueRef call,
                            LLVMValueRef function)
{
    if (ir_is_intrinsic(function, "llvm.threadlocal.address"))
        join_nodes(s, call, LLVMGetArgOperand(call, 0));
    else if (is_pointer(call))
        share_arguments(s, call);
}

static void visit_call(struct pass *p, LLVMValueRef call)
{
    struct privacy *s = p->privacy;
    LLVMValueRef function = ir_callee(call);

    if (!function) {
        share_arguments(s, call);
    } else if (LLVMGetIntrinsicID(function)) {
        visit_intrinsic(s, call, function);
    } else if (calls_copying(p, call) != COPIES_NOT) {
        join_nodes(s, call, LLVMGetArgOperand(call, 0));
    } else if (LLVMIsDeclaration(function)) {
        visit_library_call(p, call, function);
    } else {
        visit_own_call(p, call, function);
    }
}

static void visit_others(struct privacy *s, LLVMValueRef inst)
{
    for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
        LLVMValueRef operand = LLVMGetOperand(inst, (unsigned)i);

        if (!LLVMValueIsBasicBlock(operand))
            share(s, operand);
    }
    share(s, inst);
}

static void visit_inst(struct pass *p, LLVMValueRef inst)
{
    struct privacy *s = p->privacy;

    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMAlloca:
    case LLVMICmp:
        return;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
        if (is_pointer(inst))
            join_nodes(s, inst, LLVMGetOperand(inst, 0));
        else
            visit_others(s, inst);
        return;
    case LLVMPHI:
        if (is_pointer(inst)) {
            for (unsigned i = 0; i < LLVMCountIncoming(inst); i++)
                join_nodes(s, inst, LLVMGetIncomingValue(inst, i));
        }
        return;
    case LLVMSelect:
        if (is_pointer(inst)) {
            join_nodes(s, inst, LLVMGetOperand(inst, 1));
            join_nodes(s, inst, LLVMGetOperand(inst, 2));
        }
        return;
    case LLVMLoad:
        share(s, inst);
        if (LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic)
            share(s, LLVMGetOperand(inst, 0));
        return;
    case LLVMStore:
        share(s, LLVMGetOperand(inst, 0));
        if (LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic)
            share(s, LLVMGetOperand(inst, 1));
        return;
    case LLVMCall:
        visit_call(p, inst);
        return;
    default:
        visit_others(s, inst);
    }
}

/* A thread-local variable may only be used through its intrinsic. */
static void visit_thread_locals(struct pass *p)
{
    EACH_GLOBAL (g, p->module) {
        if (!is_own_thread_local(g))
            continue;
        for (LLVMUseRef u = LLVMGetFirstUse(g); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            LLVMValueRef callee =
                LLVMIsACallInst(user) ? ir_callee(user) : NULL;

            if (!callee || !ir_is_intrinsic(callee, "llvm.threadlocal"))
                share(p->privacy, g);
        }
    }
}

/* ---- What the header promises ---- */

void privacy_find(struct pass *p)
{
    struct privacy *s = calloc(1, sizeof(*s));

    CHECK(s);
    CHECK(new_node(s) == SHARED);
    s->library = new_node(s);
    p->privacy = s;
    visit_thread_locals(p);
    EACH_FUNCTION (f, p->module) {
        if (LLVMIsDeclaration(f))
            continue;
        visit_parameters(p, f);
        EACH_INSTRUCTION (i, f)
            visit_inst(p, i);
    }
}

bool privacy_is_private(struct pass *p, LLVMValueRef pointer)
{
    struct privacy *s = p->privacy;

    if (LLVMIsConstant(pointer) && !is_own_thread_local(pointer))
        return false;

    uint64_t *node = map_get_pointer(&s->nodes, pointer);

    /* No node: a local or a copy by value that is accessed and no more. */
    if (!node)
        return LLVMIsAAllocaInst(pointer) || LLVMIsAArgument(pointer);
    return find_root(s, (uint32_t)(*node - 1)) != SHARED;
}

bool privacy_is_library(struct pass *p, LLVMValueRef pointer)
{
    struct privacy *s = p->privacy;
    uint64_t *node = map_get_pointer(&s->nodes, pointer);

    return node &&
           find_root(s, (uint32_t)(*node - 1)) == find_root(s, s->library);
}

/* Its root, as a pointer to nowhere; or itself, if no other pointer is known to
 * be of that class. */
const void *privacy_class(struct pass *p, LLVMValueRef pointer)
{
    struct privacy *s = p->privacy;
    uint64_t *node;

    if (!is_pointer(pointer) || is_nothing(pointer) ||
        !privacy_is_private(p, pointer))
        return NULL;
    node = map_get_pointer(&s->nodes, pointer);
    return node
               ? (const void *)(uintptr_t)(find_root(s, (uint32_t)(*node - 1)) +
                                           1u)
               : (const void *)pointer;
}

void privacy_carry(struct pass *p, LLVMValueRef pointer)
{
    CHECK(privacy_is_private(p, pointer));
    *map_put_pointer(&p->privacy->carried, privacy_class(p, pointer)) = 1;
}

bool privacy_is_carried(struct pass *p, LLVMValueRef pointer)
{
    const void *class = privacy_class(p, pointer);

    return class && map_get_pointer(&p->privacy->carried, class);
}

bool privacy_carries_library(struct pass *p)
{
    struct privacy *s = p->privacy;
    uintptr_t class = find_root(s, s->library) + 1u;

    return map_get_pointer(&s->carried, (const void *)class) != NULL;
}

bool privacy_shares_frame(struct pass *p, LLVMValueRef function)
{
    EACH_INSTRUCTION (i, function) {
        if (LLVMIsAAllocaInst(i) && !privacy_is_private(p, i))
            return true;
    }
    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        LLVMValueRef parameter = LLVMGetParam(function, i);

        if (is_pointer(parameter) &&
            has_attribute(p, function, i, ATTRIBUTE_BYVAL) &&
            !privacy_is_private(p, parameter))
            return true;
    }
    return false;
}

void privacy_free(struct pass *p)
{
    struct privacy *s = p->privacy;

    map_free(&s->nodes);
    map_free(&s->carried);
    VEC_FREE(&s->parents);
    free(s);
    p->privacy = NULL;
}
