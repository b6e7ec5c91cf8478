/* SPDX-License-Identifier: MIT
 *
 * What the debug information knows: variables, members, functions.
 *
 * LLVM-C has few readers for debug information, so this file looks at the
 * operands of the metadata nodes themselves.  Their order is LLVM 19's;
 * the test e2e.cc.names fails when another LLVM orders them differently.
 *
 *   DICompositeType, DIDerivedType:  file, scope, name, base type, elements
 *   DILocalVariable, DIGlobalVariable:  scope, name, file, type
 *   DISubprogram:  file, scope, name
 *   DILexicalBlock:  file, scope
 */
#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/check.h"
#include "instrument/pass.h"

enum { TYPE_NAME = 2, TYPE_BASE = 3, TYPE_ELEMENTS = 4 };
enum { VARIABLE_NAME = 1, VARIABLE_TYPE = 3 };
enum { SUBPROGRAM_NAME = 2, BLOCK_SCOPE = 1 };

/* DWARF's tags. */
enum {
    TAG_ARRAY = 0x01,
    TAG_MEMBER = 0x0d,
    TAG_STRUCTURE = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_ATOMIC = 0x47
};

#define MOST_OPERANDS 4096
#define DEEPEST 4
#define NAMELESS "anon" /* as Clang has it */
#define HINTED 8 /* a member of the name that Clang gave to its address */

/* A struct or union by its name; several may share one. */
struct composite {
    LLVMMetadataRef type;
    size_t next; /* index + 1 */
};

struct types {
    struct map seen;      /* metadata visited */
    struct map by_name;   /* "struct.queue" to index + 1 into composites */
    struct map variables; /* storage to its DILocalVariable or the like */
    VEC(struct composite) composites;
    VEC(LLVMMetadataRef) work;
};

static LLVMMetadataRef operand(struct pass *p, LLVMMetadataRef node,
                               unsigned index)
{
    LLVMValueRef wrapped = LLVMMetadataAsValue(p->context, node);
    unsigned count = LLVMGetMDNodeNumOperands(wrapped);
    LLVMValueRef some[64];

    if (index >= count || count > 64)
        return NULL;
    LLVMGetMDNodeOperands(wrapped, some);
    return some[index] ? LLVMValueAsMetadata(some[index]) : NULL;
}

static const char *text_operand(struct pass *p, LLVMMetadataRef node,
                                unsigned index)
{
    LLVMMetadataRef text = operand(p, node, index);

    if (!text || LLVMGetMetadataKind(text) != LLVMMDStringMetadataKind)
        return NULL;

    unsigned length;
    const char *bytes =
        LLVMGetMDString(LLVMMetadataAsValue(p->context, text), &length);

    return length ? arena_copy_n(&p->arena, bytes, length) : NULL;
}

static bool is_type(LLVMMetadataRef node)
{
    LLVMMetadataKind kind = LLVMGetMetadataKind(node);

    return kind == LLVMDICompositeTypeMetadataKind ||
           kind == LLVMDIDerivedTypeMetadataKind;
}

static unsigned tag_of(LLVMMetadataRef node)
{
    return is_type(node) ? LLVMGetDINodeTag(node) : 0;
}

static bool has_members(LLVMMetadataRef type)
{
    unsigned tag = tag_of(type);

    return tag == TAG_STRUCTURE || tag == TAG_UNION;
}

struct nodes {
    VEC(LLVMMetadataRef);
};

/* Its operands that are there; the caller frees the list. */
static struct nodes operands_of(struct pass *p, LLVMMetadataRef node)
{
    LLVMValueRef wrapped = LLVMMetadataAsValue(p->context, node);
    unsigned count = LLVMGetMDNodeNumOperands(wrapped);
    LLVMValueRef *some = calloc(count + 1, sizeof(*some));
    struct nodes nodes = {0};

    CHECK(some);
    LLVMGetMDNodeOperands(wrapped, some);
    for (unsigned i = 0; i < count; i++) {
        if (some[i])
            VEC_PUSH(&nodes, LLVMValueAsMetadata(some[i]));
    }
    free(some);
    return nodes;
}

/* Of a struct or union; the caller frees the list. */
static struct nodes members_of(struct pass *p, LLVMMetadataRef type)
{
    LLVMMetadataRef elements = operand(p, type, TYPE_ELEMENTS);
    struct nodes all = {0};
    size_t members = 0;

    if (elements)
        all = operands_of(p, elements);
    for (size_t i = 0; i < all.count; i++) {
        if (tag_of(all.list[i]) == TAG_MEMBER)
            all.list[members++] = all.list[i];
    }
    all.count = members;
    return all;
}

static void add_composite(struct types *t, struct pass *p, const char *prefix,
                          const char *name, LLVMMetadataRef type)
{
    const char *full = arena_printf(&p->arena, "%s.%s", prefix, name);
    uint64_t *first = map_put_text(&t->by_name, full);

    VEC_PUSH(&t->composites, {type, (size_t)*first});
    *first = t->composites.count;
}

/* Clang calls a struct without a tag after the typedef that names it, and each
 * one without any name the same. */
static void note_type(struct types *t, struct pass *p, LLVMMetadataRef node)
{
    LLVMMetadataRef type = node;
    const char *name = text_operand(p, node, TYPE_NAME);

    if (tag_of(node) == TAG_TYPEDEF) {
        type = operand(p, node, TYPE_BASE);
        if (!type || !has_members(type) || text_operand(p, type, TYPE_NAME))
            return;
    }
    if (has_members(type))
        add_composite(t, p, tag_of(type) == TAG_UNION ? "union" : "struct",
                      name ? name : NAMELESS, type);
}

static void push_type(struct types *t, LLVMMetadataRef node)
{
    uint64_t *seen = map_put_pointer(&t->seen, node);

    if (*seen)
        return;
    *seen = 1;
    VEC_PUSH(&t->work, node);
}

static bool is_node(LLVMMetadataRef md)
{
    LLVMMetadataKind kind = LLVMGetMetadataKind(md);

    return kind != LLVMMDStringMetadataKind &&
           kind != LLVMConstantAsMetadataMetadataKind &&
           kind != LLVMLocalAsMetadataMetadataKind;
}

static void visit_type(struct types *t, struct pass *p, LLVMMetadataRef node)
{
    struct nodes operands = operands_of(p, node);

    if (is_type(node))
        note_type(t, p, node);
    for (size_t i = 0; i < operands.count; i++) {
        if (operands.count <= MOST_OPERANDS && is_node(operands.list[i]))
            push_type(t, operands.list[i]);
    }
    VEC_FREE(&operands);
}

static LLVMMetadataRef variable_of_global(LLVMValueRef global)
{
    size_t count;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &count);
    LLVMMetadataRef found = NULL;

    for (unsigned i = 0; i < count && !found; i++) {
        LLVMMetadataRef md = LLVMValueMetadataEntriesGetMetadata(all, i);

        if (LLVMGetMetadataKind(md) ==
            LLVMDIGlobalVariableExpressionMetadataKind)
            found = LLVMDIGlobalVariableExpressionGetVariable(md);
    }
    LLVMDisposeValueMetadataEntries(all);
    return found;
}

static void note_variable(struct types *t, struct pass *p, LLVMValueRef storage,
                          LLVMMetadataRef variable)
{
    if (text_operand(p, variable, VARIABLE_NAME))
        *map_put_pointer(&t->variables, storage) = (uintptr_t)variable;
    push_type(t, variable);
}

/* call void @llvm.dbg.declare(metadata ptr %x, metadata !var, ...) */
static void note_declare(struct types *t, struct pass *p, LLVMValueRef call)
{
    LLVMValueRef storage = LLVMGetOperand(call, 0);
    LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(call, 1));
    LLVMValueRef value = NULL;

    if (LLVMGetMDNodeNumOperands(storage) != 1)
        return;
    LLVMGetMDNodeOperands(storage, &value);
    if (value && LLVMIsAAllocaInst(value))
        note_variable(t, p, value, variable);
}

static void note_function(struct types *t, struct pass *p, LLVMValueRef f)
{
    LLVMMetadataRef program = LLVMGetSubprogram(f);

    if (program)
        push_type(t, program);
    EACH_INSTRUCTION (i, f) {
        if (!LLVMIsACallInst(i))
            continue;

        LLVMValueRef callee = ir_callee(i);

        if (callee && ir_is_intrinsic(callee, "llvm.dbg.declare"))
            note_declare(t, p, i);
    }
}

struct types *types_read(struct pass *p)
{
    struct types *t = calloc(1, sizeof(*t));

    CHECK(t);
    p->types = t;
    EACH_GLOBAL (g, p->module) {
        LLVMMetadataRef variable = variable_of_global(g);

        if (variable)
            note_variable(t, p, g, variable);
    }
    EACH_FUNCTION (f, p->module)
        note_function(t, p, f);
    while (t->work.count)
        visit_type(t, p, VEC_POP(&t->work));
    return t;
}

void types_free(struct types *t)
{
    map_free(&t->seen);
    map_free(&t->by_name);
    map_free(&t->variables);
    VEC_FREE(&t->composites);
    VEC_FREE(&t->work);
    free(t);
}

/* Through typedefs and qualifiers. */
static LLVMMetadataRef bare(struct pass *p, LLVMMetadataRef type)
{
    for (int i = 0; type && i < 32; i++) {
        switch (tag_of(type)) {
        case TAG_TYPEDEF:
        case TAG_CONST:
        case TAG_VOLATILE:
        case TAG_ATOMIC:
            type = operand(p, type, TYPE_BASE);
            break;
        default:
            return type;
        }
    }
    return type;
}

/* Is the hint that name, perhaps with the digits that make it unique? */
static bool hinted(const char *hint, const char *name)
{
    size_t length = strlen(name);

    if (strncmp(hint, name, length) != 0)
        return false;
    for (hint += length; *hint; hint++) {
        if (!isdigit((unsigned char)*hint))
            return false;
    }
    return true;
}

struct wanted {
    uint64_t offset, size; /* bytes */
    const char *hint;
    const char *best;
    int score;
};

static void look_in_type(struct pass *p, LLVMMetadataRef type, uint64_t base,
                         struct wanted *w, int depth);

static void weigh(struct pass *p, LLVMMetadataRef member, uint64_t base,
                  struct wanted *w, int depth)
{
    uint64_t bit = base * 8 + LLVMDITypeGetOffsetInBits(member);
    uint64_t bits = LLVMDITypeGetSizeInBits(member);
    const char *name = text_operand(p, member, TYPE_NAME);
    LLVMMetadataRef type = operand(p, member, TYPE_BASE);
    int score = 1;

    if (bit + bits <= w->offset * 8 || bit >= (w->offset + w->size) * 8)
        return;
    if (!name) {
        if (type && depth < DEEPEST)
            look_in_type(p, bare(p, type), bit / 8, w, depth + 1);
        return;
    }
    score += bit == w->offset * 8 ? 2 : 0;
    score += bits == w->size * 8 ? 1 : 0;
    score += hinted(w->hint, name) ? HINTED : 0;
    if (score > w->score) {
        w->score = score;
        w->best = name;
    }
}

static void look_in_type(struct pass *p, LLVMMetadataRef type, uint64_t base,
                         struct wanted *w, int depth)
{
    struct nodes members = {0};

    if (type && has_members(type))
        members = members_of(p, type);
    for (size_t i = 0; i < members.count; i++)
        weigh(p, members.list[i], base, w, depth);
    VEC_FREE(&members);
}

/* "struct.queue.12" is what the linker made of a second struct.queue. */
static uint64_t *find_name(const struct types *t, const char *name)
{
    char text[256];
    size_t length = strlen(name);
    uint64_t *found = map_get_text(&t->by_name, name);

    if (found || length >= sizeof(text))
        return found;
    memcpy(text, name, length + 1);
    while (length && isdigit((unsigned char)text[length - 1]))
        length--;
    if (!length || text[length - 1] != '.')
        return NULL;
    text[length - 1] = '\0';
    return map_get_text(&t->by_name, text);
}

/* Which of them is one that has no name?  The one with a member so hinted at.
 */
static bool is_nameless(const char *name)
{
    const char *dot = strchr(name, '.');
    size_t length = strlen(NAMELESS);

    return dot && strncmp(dot + 1, NAMELESS, length) == 0 &&
           (!dot[1 + length] || dot[1 + length] == '.');
}

const char *types_member(struct pass *p, LLVMTypeRef type, uint64_t offset,
                         uint64_t size, const char *hint)
{
    const char *name = LLVMGetStructName(type);
    uint64_t *first = name ? find_name(p->types, name) : NULL;
    uint64_t bits = LLVMABISizeOfType(p->data, type) * 8;
    struct wanted w = {.offset = offset, .size = size ? size : 1, .hint = hint};

    for (size_t i = first ? *first : 0; i;
         i = p->types->composites.list[i - 1].next) {
        LLVMMetadataRef candidate = VEC_AT(&p->types->composites, i - 1).type;

        if (LLVMDITypeGetSizeInBits(candidate) == bits)
            look_in_type(p, candidate, 0, &w, 0);
    }
    return name && is_nameless(name) && w.score < HINTED ? NULL : w.best;
}

static LLVMMetadataRef variable_of(struct pass *p, LLVMValueRef storage)
{
    uint64_t *found = map_get_pointer(&p->types->variables, storage);

    return found ? (LLVMMetadataRef)(uintptr_t)*found : NULL;
}

const char *types_variable(struct pass *p, LLVMValueRef storage)
{
    LLVMMetadataRef variable = variable_of(p, storage);

    return variable ? text_operand(p, variable, VARIABLE_NAME) : NULL;
}

/* ---- Parts of variables: ".inner.at[2].y" ---- */

static uint64_t bits_of(struct pass *p, LLVMMetadataRef type)
{
    LLVMMetadataRef t = bare(p, type);

    return t && (is_type(t) ||
                 LLVMGetMetadataKind(t) == LLVMDIBasicTypeMetadataKind)
               ? LLVMDITypeGetSizeInBits(t)
               : 0;
}

/* The only member that holds those bytes; of a union, the one of that size.
 * NULL: none, or several bit-fields. */
static LLVMMetadataRef only_member(struct pass *p, LLVMMetadataRef type,
                                   uint64_t offset, uint64_t size)
{
    struct nodes members = members_of(p, type);
    LLVMMetadataRef found = NULL;
    size_t matches = 0;

    for (size_t i = 0; i < members.count; i++) {
        LLVMMetadataRef m = members.list[i];
        uint64_t from = LLVMDITypeGetOffsetInBits(m);
        uint64_t bits = LLVMDITypeGetSizeInBits(m);

        if (from + bits <= offset * 8 || from >= (offset + size) * 8 ||
            (tag_of(type) == TAG_UNION && bits != size * 8 && matches))
            continue;
        if (tag_of(type) == TAG_UNION && found &&
            LLVMDITypeGetSizeInBits(found) == size * 8)
            continue;
        matches += tag_of(type) != TAG_UNION;
        found = m;
    }
    VEC_FREE(&members);
    return matches <= 1 ? found : NULL;
}

/* The indices of an element at that offset: "[1][2]".  Returns what is left
 * of the offset inside the element. */
static uint64_t array_text(struct pass *p, LLVMMetadataRef type,
                           uint64_t offset, struct buf *out)
{
    LLVMMetadataRef ranges = operand(p, type, TYPE_ELEMENTS);
    uint64_t stride = LLVMDITypeGetSizeInBits(type) / 8;
    LLVMValueRef some[16];
    unsigned count;

    if (!ranges)
        return offset;

    LLVMValueRef wrapped = LLVMMetadataAsValue(p->context, ranges);

    count = LLVMGetMDNodeNumOperands(wrapped);
    if (count > 16)
        return offset;
    LLVMGetMDNodeOperands(wrapped, some);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef length = NULL;

        if (some[i] && LLVMGetMDNodeNumOperands(some[i])) {
            LLVMValueRef parts[8];

            LLVMGetMDNodeOperands(some[i], parts);
            length = parts[0];
        }

        uint64_t n = length && LLVMIsAConstantInt(length)
                         ? LLVMConstIntGetZExtValue(length)
                         : 0;

        if (n == 0 || stride == 0)
            return offset;
        stride /= n;
        if (stride == 0)
            return offset;
        buf_printf(out, "[%llu]", (unsigned long long)(offset / stride));
        offset %= stride;
    }
    return offset;
}

void types_part(struct pass *p, LLVMValueRef storage, uint64_t offset,
                uint64_t size, struct buf *out)
{
    LLVMMetadataRef variable = variable_of(p, storage);
    LLVMMetadataRef type =
        variable ? operand(p, variable, VARIABLE_TYPE) : NULL;

    for (int depth = 0; type && depth < 16; depth++) {
        type = bare(p, type);
        /* Without a size, the largest object that starts here is meant. */
        if (!type || (size == 0 && offset == 0) ||
            (offset == 0 && bits_of(p, type) == size * 8 &&
             !(has_members(type) || tag_of(type) == TAG_ARRAY)))
            return;
        if (offset == 0 && size && bits_of(p, type) == size * 8 &&
            tag_of(type) != TAG_UNION && size > 8)
            return; /* all of it, as in an assignment */
        if (has_members(type)) {
            LLVMMetadataRef m = only_member(p, type, offset, size ? size : 1);

            if (!m)
                return;

            const char *name = text_operand(p, m, TYPE_NAME);

            if (name)
                buf_printf(out, ".%s", name);
            offset -= LLVMDITypeGetOffsetInBits(m) / 8;
            type = operand(p, m, TYPE_BASE);
        } else if (tag_of(type) == TAG_ARRAY) {
            offset = array_text(p, type, offset, out);
            type = operand(p, type, TYPE_BASE);
        } else {
            return;
        }
    }
}

bool types_knows(struct pass *p, LLVMValueRef storage)
{
    return variable_of(p, storage) != NULL;
}

static void list_fields(struct pass *p, LLVMMetadataRef type, uint64_t base,
                        const char *prefix, struct buf *out, int depth)
{
    struct nodes members = members_of(p, type);

    for (size_t i = 0; i < members.count; i++) {
        LLVMMetadataRef member = members.list[i];
        const char *name = text_operand(p, member, TYPE_NAME);
        LLVMMetadataRef inner = operand(p, member, TYPE_BASE);
        uint64_t at = base + LLVMDITypeGetOffsetInBits(member) / 8;

        inner = inner ? bare(p, inner) : NULL;
        if (inner && has_members(inner) && depth < DEEPEST) {
            const char *longer =
                name ? arena_printf(&p->arena, "%s%s.", prefix, name) : prefix;

            list_fields(p, inner, at, longer, out, depth + 1);
        } else if (name) {
            buf_printf(out, "%llu %s%s;", (unsigned long long)at, prefix, name);
        }
    }
    VEC_FREE(&members);
}

const char *types_fields(struct pass *p, LLVMValueRef global)
{
    LLVMMetadataRef variable = variable_of_global(global);
    LLVMMetadataRef type =
        variable ? operand(p, variable, VARIABLE_TYPE) : NULL;
    struct buf out = {0};
    const char *fields = NULL;

    type = type ? bare(p, type) : NULL;
    if (type && has_members(type)) {
        list_fields(p, type, 0, "", &out, 0);
        if (out.count)
            fields = arena_copy(&p->arena, out.bytes);
    }
    buf_free(&out);
    return fields;
}

const char *types_function(struct pass *p, LLVMMetadataRef location)
{
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);

    for (int i = 0; scope && i < 256; i++) {
        if (LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind)
            return text_operand(p, scope, SUBPROGRAM_NAME);
        scope = operand(p, scope, BLOCK_SCOPE);
    }
    return NULL;
}
