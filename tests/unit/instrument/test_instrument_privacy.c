/* SPDX-License-Identifier: MIT
 *
 * Which memory is private, on small pieces of LLVM's code: each snippet
 * defines @f, whose local %x is asked about.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>

#include "instrument/pass.h"

#define DECLARATIONS                                                           \
    "@g = global ptr null\n"                                                   \
    "@t = thread_local global i32 0\n"                                         \
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n"                        \
    "declare i64 @strlen(ptr)\n"                                               \
    "declare ptr @strchr(ptr, i32)\n"                                          \
    "declare void @nobody_knows(ptr)\n"                                        \
    "declare ptr @llvm.threadlocal.address.p0(ptr)\n"                          \
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"

static struct pass p;
static LLVMContextRef context;

static void load(const char *text)
{
    char all[4096], *message = NULL;
    LLVMMemoryBufferRef buffer;

    snprintf(all, sizeof(all), "%s%s", DECLARATIONS, text);
    context = LLVMContextCreate();
    buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(all, strlen(all), "ir");
    memset(&p, 0, sizeof(p));
    if (LLVMParseIRInContext(context, buffer, &p.module, &message))
        fail_msg("%s", message);
    p.context = context;
    p.data = LLVMCreateTargetData("e-m:e-i64:64-n8:16:32:64-S128");
    p.builder = LLVMCreateBuilderInContext(context);
    ir_init(&p);
}

static void unload(void)
{
    privacy_free(&p);
    arena_free(&p.arena);
    LLVMDisposeBuilder(p.builder);
    LLVMDisposeTargetData(p.data);
    LLVMDisposeModule(p.module);
    LLVMContextDispose(context);
}

static LLVMValueRef named(const char *function, const char *name)
{
    LLVMValueRef f = LLVMGetNamedFunction(p.module, function);

    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        if (strcmp(LLVMGetValueName(LLVMGetParam(f, i)), name) == 0)
            return LLVMGetParam(f, i);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
             i = LLVMGetNextInstruction(i)) {
            if (strcmp(LLVMGetValueName(i), name) == 0)
                return i;
        }
    }
    fail_msg("no %%%s in @%s", name, function);
    return NULL;
}

/* Is %x of @f private? */
static bool x_is_private(const char *text)
{
    bool answer;

    load(text);
    privacy_find(&p);
    answer = privacy_is_private(&p, named("f", "x"));
    unload();
    return answer;
}

/* @f with that body between its local and its return. */
#define F(body)                                                                \
    "define void @f(i1 %c) {\n %x = alloca i32\n" body " ret void\n}\n"

static void a_local_that_is_only_accessed_is_private(void **state)
{
    (void)state;
    assert_true(x_is_private(F("store i32 1, ptr %x\n"
                               "%v = load i32, ptr %x\n")));
    assert_true(x_is_private(F("")));
    assert_true(x_is_private(F("%q = getelementptr i8, ptr %x, i64 2\n"
                               "store i8 1, ptr %q\n"
                               "%same = icmp eq ptr %q, null\n")));
    assert_true(x_is_private(F("%y = alloca i32\n"
                               "%q = select i1 %c, ptr %x, ptr %y\n"
                               "store i32 1, ptr %q\n")));
    assert_true(x_is_private(F("%y = alloca i32\n"
                               "call void @llvm.memcpy.p0.p0.i64(ptr %x, "
                               "ptr %y, i64 4, i1 false)\n")));
}

static void a_local_whose_address_gets_away_is_shared(void **state)
{
    (void)state;
    assert_false(x_is_private(F("store ptr %x, ptr @g\n")));
    assert_false(x_is_private(F("%i = ptrtoint ptr %x to i64\n")));
    assert_false(x_is_private(F("call void @nobody_knows(ptr %x)\n")));
    assert_false(x_is_private(F("%q = getelementptr i8, ptr %x, i64 2\n"
                                "store ptr %q, ptr @g\n")));
    assert_false(x_is_private(F("%y = load ptr, ptr @g\n"
                                "call void %y(ptr %x)\n")));
    assert_false(x_is_private(F("call void asm \"nop\", \"r\"(ptr %x)\n")));
}

static void mixed_with_shared_memory_it_is_shared(void **state)
{
    (void)state;
    assert_false(x_is_private(F("%q = select i1 %c, ptr %x, ptr @g\n"
                                "store i32 1, ptr %q\n")));
    assert_false(x_is_private(F("%y = load ptr, ptr @g\n"
                                "%q = select i1 %c, ptr %x, ptr %y\n"
                                "store i32 1, ptr %q\n")));
    assert_true(x_is_private(F("%q = select i1 %c, ptr %x, ptr null\n"
                               "store i32 1, ptr %q\n")));
}

static void atomic_targets_are_shared(void **state)
{
    (void)state;
    assert_false(x_is_private(F("%v = atomicrmw add ptr %x, i32 1 seq_cst\n")));
    assert_false(x_is_private(F("store atomic i32 1, ptr %x monotonic, "
                                "align 4\n")));
}

static void library_functions_keep_what_the_table_says(void **state)
{
    (void)state;
    assert_true(x_is_private(F("%r = call i32 @pthread_create(ptr %x, ptr "
                               "null, ptr null, ptr null)\n")));
    assert_false(x_is_private(F("%r = call i32 @pthread_create(ptr null, ptr "
                                "null, ptr null, ptr %x)\n")));
    assert_true(x_is_private(F("%r = call i64 @strlen(ptr %x)\n")));
    assert_false(x_is_private(F("%r = call ptr @strchr(ptr %x, i32 1)\n"
                                "store i8 0, ptr %r\n")));
}

#define WRITES(linkage)                                                        \
    "define " linkage " void @w(ptr %out) {\n store i32 5, ptr %out\n"         \
    " ret void\n}\n"
#define KEEPS                                                                  \
    "define internal void @k(ptr %out) {\n store ptr %out, ptr @g\n"           \
    " ret void\n}\n"

static void own_functions_are_looked_into(void **state)
{
    (void)state;
    assert_true(x_is_private(WRITES("") F("call void @w(ptr %x)\n")));
    assert_false(x_is_private(KEEPS F("call void @k(ptr %x)\n")));
    /* Once with a local, once with a global: hooks both times. */
    assert_false(x_is_private(WRITES("") F("call void @w(ptr %x)\n"
                                           "call void @w(ptr @g)\n")));
    /* Somebody else may call it. */
    assert_false(x_is_private(WRITES("") F("call void @w(ptr %x)\n"
                                           "store ptr @w, ptr @g\n")));
}

static void code_without_bitcode_may_call_what_is_visible(void **state)
{
    (void)state;
    load(WRITES("") F("call void @w(ptr %x)\n"));
    p.open = true;
    privacy_find(&p);
    assert_false(privacy_is_private(&p, named("f", "x")));
    unload();
    load(WRITES("internal") F("call void @w(ptr %x)\n"));
    p.open = true;
    privacy_find(&p);
    assert_true(privacy_is_private(&p, named("f", "x")));
    unload();
}

static void a_copy_by_value_belongs_to_the_callee(void **state)
{
    (void)state;
    load("define void @f(ptr byval(i64) %x, ptr %y) {\n"
         " store ptr @f, ptr @g\n store i64 1, ptr %x\n ret void\n}\n");
    privacy_find(&p);
    assert_true(privacy_is_private(&p, named("f", "x")));
    assert_false(privacy_is_private(&p, named("f", "y")));
    unload();
}

#define TLS(body)                                                              \
    "define void @f() {\n"                                                     \
    " %x = call ptr @llvm.threadlocal.address.p0(ptr @t)\n" body               \
    " ret void\n}\n"

static void thread_locals_are_private_until_they_are_given_away(void **state)
{
    (void)state;
    assert_true(x_is_private(TLS("store i32 1, ptr %x\n")));
    assert_false(x_is_private(TLS("store ptr %x, ptr @g\n")));
    assert_false(x_is_private(
        TLS("store i32 1, ptr %x\n") "define void @other() {\n"
                                     " %a = call ptr "
                                     "@llvm.threadlocal.address.p0(ptr @t)\n"
                                     " store ptr %a, ptr @g\n ret void\n}\n"));
}

static bool writes_outside(const char *text, const char *function)
{
    bool answer;

    load(text);
    privacy_find(&p);
    waits_find(&p);
    answer = waits_writes_outside(&p, LLVMGetNamedFunction(p.module, function));
    waits_free(&p);
    unload();
    return answer;
}

static void unseen_writes_are_known_to_callers(void **state)
{
    const char *chain = WRITES("internal") "define internal void @mid(ptr "
                                           "%m) {\n call void @w(ptr %m)\n ret "
                                           "void\n}\n" F("call void @mid(ptr "
                                                         "%x)\n");

    (void)state;
    assert_true(writes_outside(chain, "w"));
    assert_true(writes_outside(chain, "mid"));
    assert_true(writes_outside(TLS("store i32 1, ptr %x\n"), "f"));
    assert_false(writes_outside(F("store i32 1, ptr %x\n"), "f"));
    /* A shared target is written by a hook: seen. */
    assert_false(
        writes_outside(WRITES("internal") F("call void @w(ptr @g)\n"), "w"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_local_that_is_only_accessed_is_private),
        cmocka_unit_test(a_local_whose_address_gets_away_is_shared),
        cmocka_unit_test(mixed_with_shared_memory_it_is_shared),
        cmocka_unit_test(atomic_targets_are_shared),
        cmocka_unit_test(library_functions_keep_what_the_table_says),
        cmocka_unit_test(own_functions_are_looked_into),
        cmocka_unit_test(code_without_bitcode_may_call_what_is_visible),
        cmocka_unit_test(a_copy_by_value_belongs_to_the_callee),
        cmocka_unit_test(thread_locals_are_private_until_they_are_given_away),
        cmocka_unit_test(unseen_writes_are_known_to_callers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
