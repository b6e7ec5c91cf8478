/* SPDX-License-Identifier: MIT
 *
 * The constant __fencer_program and all it points to: sites, globals,
 * external functions, limits (event/program.h).  Also the section .fencer by
 * which the tool knows a program that fencer cc linked.
 */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "instrument/pass.h"

static const char *file_text(struct pass *p, const char *bytes, unsigned length)
{
    return bytes ? arena_copy_n(&p->arena, bytes, length) : "";
}

/* Where it is in the source: of what was in a wrapper, where that was called.
 */
static LLVMMetadataRef place_of(struct pass *p, LLVMValueRef inst)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(inst), caller;

    while (location && !p->optimised &&
           (caller = LLVMDILocationGetInlinedAt(location)))
        location = caller;
    return location;
}

static void describe(struct pass *p, LLVMValueRef inst, struct site *s)
{
    LLVMMetadataRef location = place_of(p, inst);
    LLVMMetadataRef scope = location ? LLVMDILocationGetScope(location)
                                     : LLVMGetSubprogram(ir_function_of(inst));
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    unsigned length;

    s->file = s->dir = "";
    s->function = NULL;
    if (file) {
        const char *name = LLVMDIFileGetFilename(file, &length);

        s->file = file_text(p, name, length);
        name = LLVMDIFileGetDirectory(file, &length);
        s->dir = file_text(p, name, length);
    }
    if (location) {
        s->line = LLVMDILocationGetLine(location);
        s->column = LLVMDILocationGetColumn(location);
        s->function = types_function(p, location);
    }
    if (s->line == 0) {
        LLVMMetadataRef program = LLVMGetSubprogram(ir_function_of(inst));

        s->line = program ? LLVMDISubprogramGetLine(program) : 0;
    }
    if (!s->function)
        s->function = ir_name(p, ir_function_of(inst));
}

uint32_t site_new(struct pass *p, LLVMValueRef inst, enum event_kind kind,
                  uint64_t size, const char *name)
{
    struct site s = {"", "", "", "", 0, 0, 0, 0};

    CHECK(kind < EV_KIND_COUNT && size <= UINT32_MAX);
    if (p->sites.count == 0)
        VEC_PUSH(&p->sites, s); /* nowhere */
    describe(p, inst, &s);
    s.kind = kind;
    s.size = (uint32_t)size;
    s.name = name ? name : names_get(p, inst, 0);
    VEC_PUSH(&p->sites, s);
    CHECK(p->sites.count <= UINT32_MAX);
    return (uint32_t)(p->sites.count - 1);
}

LLVMValueRef site_value(struct pass *p, LLVMValueRef inst, enum event_kind kind,
                        uint64_t size, const char *name)
{
    return ir_i32(p, site_new(p, inst, kind, size, name));
}

uint32_t extern_index(struct pass *p, const char *name, enum extern_class class,
                      uint32_t site)
{
    uint64_t *at = map_put_text(&p->extern_index, name);

    CHECK(!site || site < p->sites.count);
    if (!*at) {
        VEC_PUSH(&p->externs, {name, class, site});
        *at = p->externs.count;
        if (class == EXTERN_STATE)
            p->flags |= PROGRAM_STATE;
    }
    return (uint32_t)(*at - 1);
}

/* ---- Constants ---- */

static LLVMValueRef record(struct pass *p, LLVMValueRef *parts, unsigned n)
{
    return LLVMConstStructInContext(p->context, parts, n, 0);
}

static LLVMTypeRef record_type(struct pass *p, const char *letters)
{
    LLVMTypeRef parts[16];
    unsigned n = (unsigned)strlen(letters);

    CHECK(n <= sizeof(parts) / sizeof(*parts));
    for (unsigned i = 0; i < n; i++)
        parts[i] = ir_type(p, letters[i]);
    return LLVMStructTypeInContext(p->context, parts, n, 0);
}

struct rows {
    VEC(LLVMValueRef);
};

/* The rows as an array of the program; they are used up. */
static LLVMValueRef array(struct pass *p, const char *name, LLVMTypeRef type,
                          struct rows *rows)
{
    if (rows->count == 0)
        return LLVMConstNull(p->ptr);

    LLVMValueRef all = LLVMConstArray2(type, rows->list, rows->count);
    LLVMValueRef global = LLVMAddGlobal(p->module, LLVMTypeOf(all), name);

    LLVMSetInitializer(global, all);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    VEC_FREE(rows);
    return global;
}

static LLVMValueRef site_array(struct pass *p)
{
    struct rows rows = {0};

    for (size_t i = 0; i < p->sites.count; i++) {
        const struct site *s = &p->sites.list[i];
        LLVMValueRef parts[] = {ir_text(p, s->file),     ir_text(p, s->dir),
                                ir_text(p, s->function), ir_text(p, s->name),
                                ir_i32(p, s->line),      ir_i32(p, s->column),
                                ir_i32(p, s->kind),      ir_i32(p, s->size)};

        VEC_PUSH(&rows, record(p, parts, 8));
    }
    return array(p, "fencer.sites", record_type(p, "ppppiiii"), &rows);
}

static bool is_program_data(LLVMValueRef global)
{
    const char *section = LLVMGetSection(global);

    return section && (strcmp(section, "fencer_data") == 0 ||
                       strcmp(section, "fencer_zero") == 0 ||
                       strcmp(section, "fencer_ghost") == 0);
}

static LLVMValueRef global_array(struct pass *p, uint64_t *count)
{
    struct rows rows = {0};

    EACH_GLOBAL (g, p->module) {
        if (LLVMIsDeclaration(g) || !is_program_data(g))
            continue;

        const char *name = types_variable(p, g);
        const char *fields = types_fields(p, g);
        uint64_t size = LLVMABISizeOfType(p->data, LLVMGlobalGetValueType(g));
        LLVMValueRef parts[] = {
            ir_text(p, name ? name : ir_name(p, g)), g, ir_i64(p, size),
            fields ? ir_text(p, fields) : LLVMConstNull(p->ptr)};

        VEC_PUSH(&rows, record(p, parts, 4));
    }
    *count = rows.count;
    return array(p, "fencer.globals", record_type(p, "pplp"), &rows);
}

static LLVMValueRef extern_array(struct pass *p)
{
    struct rows rows = {0};

    for (size_t i = 0; i < p->externs.count; i++) {
        LLVMValueRef parts[] = {ir_text(p, p->externs.list[i].name),
                                ir_i32(p, p->externs.list[i].class),
                                ir_i32(p, p->externs.list[i].site)};

        VEC_PUSH(&rows, record(p, parts, 3));
    }
    return array(p, "fencer.externs", record_type(p, "pii"), &rows);
}

static LLVMValueRef dep_array(struct pass *p)
{
    struct rows rows = {0};

    for (size_t i = 0; i < p->dep_count; i++) {
        CHECK(p->deps[i].site < p->sites.count);
        CHECK(p->deps[i].source == DEP_ALL ||
              p->deps[i].source < p->sites.count);
        LLVMValueRef parts[] = {ir_i32(p, p->deps[i].site),
                                ir_i32(p, p->deps[i].source)};

        VEC_PUSH(&rows, record(p, parts, 2));
    }
    return array(p, "fencer.deps", record_type(p, "ii"), &rows);
}

static LLVMValueRef limit_array(struct pass *p)
{
    struct rows rows = {0};

    for (size_t i = 0; i < p->limits.count; i++)
        VEC_PUSH(&rows, ir_text(p, p->limits.list[i]));
    return array(p, "fencer.limits", p->ptr, &rows);
}

/* ---- Constructors and destructors ---- */

struct ctor {
    LLVMValueRef run;
    uint64_t priority;
    size_t index; /* in the module: keeps equal priorities in order */
};

static int by_priority(const void *left, const void *right)
{
    const struct ctor *a = left, *b = right;

    if (a->priority != b->priority)
        return a->priority < b->priority ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

/* llvm.global_ctors is an array of { i32 priority, ptr run, ptr data }.  The
 * runtime runs them itself, before each execution, so it is taken away. */
static LLVMValueRef ctor_array(struct pass *p, const char *name,
                               uint64_t *count)
{
    LLVMValueRef list = LLVMGetNamedGlobal(p->module, name);
    LLVMValueRef init = list ? LLVMGetInitializer(list) : NULL;
    int n = init ? LLVMGetNumOperands(init) : 0;
    VEC(struct ctor) ctors = {0};
    struct rows rows = {0};

    for (int i = 0; i < n; i++) {
        LLVMValueRef row = LLVMGetOperand(init, (unsigned)i);

        VEC_PUSH(&ctors,
                 {LLVMGetOperand(row, 1),
                  LLVMConstIntGetZExtValue(LLVMGetOperand(row, 0)), (size_t)i});
    }
    if (n)
        qsort(ctors.list, ctors.count, sizeof(*ctors.list), by_priority);
    for (size_t i = 0; i < ctors.count; i++) {
        LLVMValueRef parts[] = {ctors.list[i].run,
                                ir_i64(p, ctors.list[i].priority)};

        VEC_PUSH(&rows, record(p, parts, 2));
    }
    if (list)
        LLVMDeleteGlobal(list);
    VEC_FREE(&ctors);
    *count = rows.count;
    return array(p, arena_printf(&p->arena, "fencer.%s", name),
                 record_type(p, "pl"), &rows);
}

static LLVMValueRef bound(struct pass *p, const char *name)
{
    LLVMValueRef g = LLVMGetNamedGlobal(p->module, name);

    if (!g) {
        g = LLVMAddGlobal(p->module, p->i8, name);
        LLVMSetLinkage(g, LLVMExternalWeakLinkage);
        LLVMSetVisibility(g, LLVMHiddenVisibility);
    }
    return g;
}

void table_emit(struct pass *p)
{
    uint64_t globals, ctors, dtors;
    LLVMValueRef global_list = global_array(p, &globals);
    LLVMValueRef ctor_list = ctor_array(p, "llvm.global_ctors", &ctors);
    LLVMValueRef dtor_list = ctor_array(p, "llvm.global_dtors", &dtors);
    LLVMValueRef parts[] = {
        ir_i64(p, FENCER_ABI),
        p->main ? p->main : LLVMConstNull(p->ptr),
        site_array(p),
        ir_i64(p, p->sites.count),
        global_list,
        ir_i64(p, globals),
        bound(p, "__start_fencer_data"),
        bound(p, "__stop_fencer_data"),
        p->tls_image ? p->tls_image : LLVMConstNull(p->ptr),
        ir_i64(p, p->tls_size),
        ir_i64(p, p->tls_align),
        ctor_list,
        dtor_list,
        ir_i64(p, ctors),
        ir_i64(p, dtors),
        extern_array(p),
        ir_i64(p, p->externs.count),
        limit_array(p),
        ir_i64(p, p->limits.count),
        ir_i64(p, p->flags | (p->optimised ? PROGRAM_OPTIMISED : 0) |
                      (p->tracks ? PROGRAM_DEPENDS : 0)),
        dep_array(p),
        ir_i64(p, p->dep_count),
    };
    LLVMValueRef all = record(p, parts, sizeof(parts) / sizeof(parts[0]));
    LLVMValueRef g =
        LLVMAddGlobal(p->module, LLVMTypeOf(all), "__fencer_program");

    LLVMSetInitializer(g, all);
    LLVMSetGlobalConstant(g, 1);
}

_Static_assert(sizeof(struct fencer_program) == 22 * 8, "as table_emit");
_Static_assert(sizeof(struct fencer_site) == 48, "as site_array");
