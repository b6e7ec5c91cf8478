/* SPDX-License-Identifier: MIT
 *
 * Variables, procedures and constants by number.  A variable becomes an object
 * when something mentions it, and its initial value is walked then: that may
 * mention others.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "lower/body.h"

#define LARGEST (1u << 20) /* cells of one variable */

/* ---- Procedures ---- */

/* Uses in llvm.used keep a function alive, and no more. */
static bool keeps_alive(LLVMValueRef user)
{
    for (LLVMUseRef u = LLVMGetFirstUse(user); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef by = LLVMGetUser(u);
        size_t length;

        if (!LLVMIsAGlobalVariable(by) ||
            LLVMGetLinkage(by) != LLVMAppendingLinkage ||
            !ir_has_prefix(LLVMGetValueName2(by, &length), "llvm."))
            return false;
    }
    return true;
}

static bool passes(LLVMValueRef call, LLVMValueRef function)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        if (LLVMGetArgOperand(call, i) == function)
            return true;
    }
    return false;
}

bool proc_is_address_taken(struct lower *l, LLVMValueRef function)
{
    const char *name = ir_name(&l->p, function);

    /* fencer.h's list of operations is for its own main. */
    if (strcmp(name, STARTS_INIT) == 0 || ir_has_prefix(name, STARTS_OPERATION))
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if (LLVMIsACallInst(user) ? passes(user, function)
                                  : !LLVMIsConstant(user) || !keeps_alive(user))
            return true;
    }
    return false;
}

uint32_t proc_of(struct lower *l, LLVMValueRef function)
{
    uint64_t *at = map_put_pointer(&l->proc_numbers, function);

    if (!*at) {
        VEC_PUSH_IN(l->arena, &l->functions, function);
        VEC_PUSH_IN(l->arena, &l->procs,
                    {.name = arena_copy(l->arena, ir_name(&l->p, function)),
                     .defined = !LLVMIsDeclaration(function),
                     .address_taken = proc_is_address_taken(l, function)});
        *at = l->procs.count;
    }
    return (uint32_t)(*at - 1);
}

/* ---- Initial values ---- */

struct walk {
    struct lower *l;
    VEC(struct lsl_cell) cells;
};

static bool is_zero(struct lsl_value v)
{
    return v.kind == LSL_INTEGER && v.bits == 0;
}

static void add_cell(struct walk *w, uint64_t offset, uint32_t size,
                     struct lsl_value value)
{
    if (is_zero(value))
        return;
    if (w->cells.count >= LARGEST) {
        lower_refuse(w->l, "a variable with more than %u initial values",
                     LARGEST);
        return;
    }
    VEC_PUSH_IN(w->l->arena, &w->cells, {offset, size, value});
}

static void add_scalar(struct walk *w, LLVMValueRef v, uint64_t offset)
{
    struct lsl_value value = {LSL_UNDEFINED, 0, 0}, half[2];
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));

    if (type_is_wide(LLVMTypeOf(v)) && LLVMIsAConstantInt(v)) {
        wide_constant(v, half);
        add_cell(w, offset, 8, half[0]);
        add_cell(w, offset + 8, 8, half[1]);
        return;
    }
    /* Other scalars cannot be loaded: nobody will ask. */
    if (kind == LLVMPointerTypeKind ||
        (kind == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64))
        value = object_constant(w->l, v);
    add_cell(w, offset, (uint32_t)ir_size(&w->l->p, LLVMTypeOf(v)), value);
}

static void walk_initial(struct walk *w, LLVMValueRef v, uint64_t offset)
{
    LLVMTypeRef type = LLVMTypeOf(v);

    if (LLVMIsNull(v) || w->l->refused)
        return;
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            walk_initial(w, LLVMGetAggregateElement(v, i),
                         offset + LLVMOffsetOfElement(w->l->p.data, type, i));
    } else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        uint64_t size =
            LLVMABISizeOfType(w->l->p.data, LLVMGetElementType(type));

        for (uint64_t i = 0; i < LLVMGetArrayLength2(type); i++)
            walk_initial(w, LLVMGetAggregateElement(v, (unsigned)i),
                         offset + i * size);
    } else {
        add_scalar(w, v, offset);
    }
}

/* ---- Objects ---- */

static bool is_in_section(LLVMValueRef variable, const char *name)
{
    const char *section = LLVMGetSection(variable);

    return section && strcmp(section, name) == 0;
}

/* A lock is a word that is 0 or 1 here; a mutex that its owner may lock again
 * says so in its initial value. */
static void refuse_mutex_kinds(struct lower *l, const struct lsl_object *o)
{
    static const char kind[] = "__data.__kind;";
    const char *found = o->fields;

    while (found && (found = strstr(found, kind))) {
        const char *start = found;

        while (start > o->fields && start[-1] != ';')
            start--;
        if (lsl_initial(o, strtoull(start, NULL, 10), 4).bits)
            lower_refuse(l,
                         "the mutex in %s is of a kind that is not "
                         "supported",
                         o->name);
        found += sizeof(kind) - 1;
    }
}

static void describe_variable(struct lower *l, LLVMValueRef g, uint32_t number)
{
    const char *name = types_variable(&l->p, g);
    const char *fields = types_fields(&l->p, g);
    struct lsl_object o = {.proc = LSL_NONE};
    struct walk w = {.l = l};

    o.name = arena_copy(l->arena, name ? name : ir_name(&l->p, g));
    o.fields = fields ? arena_copy(l->arena, fields) : NULL;
    o.size = LLVMABISizeOfType(l->p.data, LLVMGlobalGetValueType(g));
    o.ghost = is_in_section(g, "fencer_ghost");
    o.constant = LLVMIsGlobalConstant(g);
    if (LLVMIsThreadLocal(g))
        lower_refuse(l, "the thread-local variable %s is not supported",
                     o.name);
    else if (!LLVMGetInitializer(g))
        lower_refuse(l, "the variable %s is defined in no source", o.name);
    else
        walk_initial(&w, LLVMGetInitializer(g), 0);
    o.cells = w.cells.list;
    o.cell_count = (uint32_t)w.cells.count;
    refuse_mutex_kinds(l, &o);
    VEC_AT(&l->objects, number) = o; /* the walk may have moved the list */
}

uint32_t object_of(struct lower *l, LLVMValueRef global)
{
    uint64_t *at = map_put_pointer(&l->object_numbers, global);
    uint32_t number;

    if (*at)
        return (uint32_t)*at;
    *at = number = (uint32_t)l->objects.count;
    VEC_PUSH_IN(l->arena, &l->objects, {.proc = LSL_NONE});
    if (LLVMIsAFunction(global)) {
        uint32_t proc = proc_of(l, global);
        struct lsl_object *o = &VEC_AT(&l->objects, number);

        o->proc = proc;
        o->name = VEC_AT(&l->procs, proc).name;
        o->constant = true;
    } else {
        describe_variable(l, global, number);
    }
    return number;
}

bool object_is_ghost(LLVMValueRef address)
{
    LLVMValueRef variable = access_variable(address);

    return variable && is_in_section(variable, "fencer_ghost");
}

/* ---- Constants ---- */

static uint64_t cut(uint64_t bits, unsigned width)
{
    return width < 64 ? bits & ((1ull << width) - 1) : bits;
}

static struct lsl_value undefined(void)
{
    return (struct lsl_value){LSL_UNDEFINED, 0, 0};
}

static struct lsl_value no_constant(struct lower *l)
{
    lower_refuse(l, "a constant expression of this kind is not supported");
    return undefined();
}

static struct lsl_value gep_constant(struct lower *l, LLVMValueRef v)
{
    struct lsl_value base = object_constant(l, LLVMGetOperand(v, 0));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(v);

    for (int i = 1; i < LLVMGetNumOperands(v); i++) {
        LLVMValueRef index = LLVMGetOperand(v, (unsigned)i);

        if (!LLVMIsAConstantInt(index))
            return no_constant(l);

        int64_t n = LLVMConstIntGetSExtValue(index);

        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            base.bits += LLVMOffsetOfElement(l->p.data, type, (unsigned)n);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        base.bits += (uint64_t)n * LLVMABISizeOfType(l->p.data, type);
    }
    return base;
}

static struct lsl_value expression(struct lower *l, LLVMValueRef v)
{
    struct lsl_value x, y, result;
    unsigned width = type_width(l, LLVMTypeOf(v));

    switch (LLVMGetConstOpcode(v)) {
    case LLVMGetElementPtr:
        return gep_constant(l, v);
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
        x = object_constant(l, LLVMGetOperand(v, 0));
        if (width < 64 && x.kind == LSL_POINTER)
            return no_constant(l);
        return x;
    case LLVMAdd:
    case LLVMSub:
        x = object_constant(l, LLVMGetOperand(v, 0));
        y = object_constant(l, LLVMGetOperand(v, 1));
        if (lsl_eval(LLVMGetConstOpcode(v) == LLVMAdd ? PURE_ADD : PURE_SUB,
                     width, width, x, y, &result) == LSL_FINE)
            return result;
        return no_constant(l);
    default:
        return no_constant(l);
    }
}

struct lsl_value object_constant(struct lower *l, LLVMValueRef v)
{
    if (LLVMIsAGlobalAlias(v))
        v = LLVMAliasGetAliasee(v);
    if (LLVMIsAConstantInt(v)) {
        unsigned width = type_width(l, LLVMTypeOf(v));

        return width ? LSL_INT(cut(LLVMConstIntGetZExtValue(v), width))
                     : undefined();
    }
    if (LLVMIsUndef(v) || LLVMIsPoison(v))
        return undefined();
    if (LLVMIsAConstantPointerNull(v))
        return LSL_INT(0);
    if (LLVMIsAGlobalVariable(v) || LLVMIsAFunction(v))
        return (struct lsl_value){LSL_POINTER, object_of(l, v), 0};
    if (LLVMIsAConstantExpr(v))
        return expression(l, v);
    if (type_width(l, LLVMTypeOf(v)))
        return no_constant(l);
    return undefined();
}

const char *object_text(struct lower *l, LLVMValueRef v)
{
    LLVMValueRef init = LLVMIsAGlobalVariable(v) ? LLVMGetInitializer(v) : NULL;
    size_t length;

    if (!init || !LLVMIsGlobalConstant(v))
        return NULL;
    if (LLVMIsNull(init))
        return "";
    if (!LLVMIsAConstantDataSequential(init) || !LLVMIsConstantString(init))
        return NULL;

    const char *bytes = LLVMGetAsString(init, &length);

    return arena_copy_n(l->arena, bytes, strnlen(bytes, length));
}
