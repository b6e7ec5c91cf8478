/* SPDX-License-Identifier: MIT
 *
 * The instrumenter's hooks, which stand where it understood inline assembly
 * (src/instrument/assembly.c): atomic accesses and fences, with their sites.
 */
#include <string.h>

#include "lower/body.h"

static LLVMValueRef last_argument(LLVMValueRef call)
{
    return LLVMGetArgOperand(call, LLVMGetNumArgOperands(call) - 1);
}

static struct lsl_inst *add_hook(struct body *b, LLVMValueRef call,
                                 enum lsl_op op)
{
    struct lsl_inst *i = body_add(b, op);

    i->site = (uint32_t)LLVMConstIntGetZExtValue(last_argument(call));
    return i;
}

static uint8_t number(LLVMValueRef call, unsigned n)
{
    return (uint8_t)LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, n));
}

/* The address, and a result if the hook has one. */
static struct lsl_inst *add_access(struct body *b, LLVMValueRef call,
                                   enum lsl_op op, LLVMTypeRef type)
{
    uint32_t a = body_operand(b, LLVMGetArgOperand(call, 0));
    uint32_t dst = op == LSL_STORE ? LSL_NONE : body_register(b);
    unsigned width = type_width(b->l, type);
    bool ghost = object_is_ghost(LLVMGetArgOperand(call, 0));
    struct lsl_inst *i = add_hook(b, call, op);

    i->size = (uint8_t)(width / 8);
    i->flags = ghost ? LSL_GHOST : 0;
    i->a = a;
    i->dst = dst;
    if (dst != LSL_NONE) {
        i->width = (uint8_t)width;
        body_define_one(b, call, dst);
    }
    return i;
}

static bool is_sized(const char *name, const char *stem)
{
    size_t n = strlen(stem);

    return strncmp(name, stem, n) == 0 && strchr("1248", name[n]) &&
           name[n + 1] == '\0';
}

static void hook_store(struct body *b, LLVMValueRef call)
{
    LLVMValueRef value = LLVMGetArgOperand(call, 1);
    uint32_t v = body_operand(b, value);
    struct lsl_inst *i = add_access(b, call, LSL_STORE, LLVMTypeOf(value));

    i->b = v;
    i->order = number(call, 2);
}

static void hook_rmw(struct body *b, LLVMValueRef call)
{
    uint32_t operand = body_operand(b, LLVMGetArgOperand(call, 2));
    struct lsl_inst *i = add_access(b, call, LSL_RMW, LLVMTypeOf(call));

    i->b = operand;
    i->pure = number(call, 1);
    i->order = number(call, 3);
}

static void hook_cas(struct body *b, LLVMValueRef call)
{
    uint32_t expected = body_operand(b, LLVMGetArgOperand(call, 1));
    uint32_t desired = body_operand(b, LLVMGetArgOperand(call, 2));
    struct lsl_inst *i = add_access(b, call, LSL_CAS, LLVMTypeOf(call));

    i->b = expected;
    i->c = desired;
    i->order = number(call, 3);
    i->fail_order = number(call, 4);
}

bool hook_lower(struct body *b, LLVMValueRef call, const char *name)
{
    if (!ir_has_prefix(name, "__fencer_"))
        return false;
    name += strlen("__fencer_");
    if (is_sized(name, "atomic_load"))
        add_access(b, call, LSL_LOAD, LLVMTypeOf(call))->order =
            number(call, 1);
    else if (is_sized(name, "atomic_store"))
        hook_store(b, call);
    else if (is_sized(name, "rmw"))
        hook_rmw(b, call);
    else if (is_sized(name, "cas"))
        hook_cas(b, call);
    else if (strcmp(name, "fence_bits") == 0)
        add_hook(b, call, LSL_FENCE)->fences = number(call, 0);
    else if (strcmp(name, "cas16") == 0)
        lower_refuse(b->l, "an access of 16 bytes is not supported");
    /* `pause`, and the note before assembly that is refused next: nothing. */
    return true;
}
