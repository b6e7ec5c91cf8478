/* SPDX-License-Identifier: MIT
 *
 * LLVM as a library: reading, merging, optimising and writing code.
 */
#include "instrument/emit.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/check.h"
#include "base/log.h"
#include "instrument/fast.h"
#include "instrument/pass.h"

#define TRIPLE "x86_64-pc-linux-gnu"
#define LARGEST (1ull << 32)

struct merge {
    LLVMContextRef context;
    LLVMModuleRef module; /* NULL until the first */
    size_t count;
    char message[512]; /* what LLVM last complained about */
};

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context)
{
    struct merge *m = context;
    char *text;

    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    text = LLVMGetDiagInfoDescription(info);
    snprintf(m->message, sizeof(m->message), "%.*s", (int)strcspn(text, "\n"),
             text);
    LLVMDisposeMessage(text);
}

static LLVMTargetMachineRef machine(LLVMCodeGenOptLevel level,
                                    LLVMRelocMode mode)
{
    static bool ready;
    LLVMTargetRef target;
    char *message = NULL;

    if (!ready) {
        LLVMInitializeX86TargetInfo();
        LLVMInitializeX86Target();
        LLVMInitializeX86TargetMC();
        LLVMInitializeX86AsmPrinter();
        LLVMInitializeX86AsmParser();
        ready = true;
    }
    CHECK(LLVMGetTargetFromTriple(TRIPLE, &target, &message) == 0);
    return LLVMCreateTargetMachine(target, TRIPLE, "x86-64", "", level, mode,
                                   LLVMCodeModelDefault);
}

/* Through memory: LLVM ends the process when it cannot write a file.  What is
 * wrong in inline assembly comes out now, and not by what the call returns. */
static bool write_object(struct merge *m, LLVMTargetMachineRef tm,
                         const char *path, struct err *e)
{
    LLVMMemoryBufferRef object = NULL;
    char *message = NULL;
    bool ok;

    *m->message = '\0';
    if (LLVMTargetMachineEmitToMemoryBuffer(tm, m->module, LLVMObjectFile,
                                            &message, &object)) {
        err_set(e, "LLVM cannot make an object: %s", message);
        LLVMDisposeMessage(message);
        return false;
    }
    ok = *m->message ? err_set(e, "%s", m->message)
                     : file_write(path, LLVMGetBufferStart(object),
                                  LLVMGetBufferSize(object), e);
    LLVMDisposeMemoryBuffer(object);
    return ok;
}

/* ---- Merging ---- */

/* LLVM would end with 1, which is "found" here. */
static void on_fatal_error(const char *reason)
{
    fprintf(stderr, "fencer: LLVM: %s\n", reason);
    exit(3);
}

struct merge *merge_new(void)
{
    static bool installed;
    struct merge *m = calloc(1, sizeof(*m));

    CHECK(m);
    if (!installed)
        LLVMInstallFatalErrorHandler(on_fatal_error);
    installed = true;
    m->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(m->context, on_diagnostic, m);
    return m;
}

void merge_free(struct merge *m)
{
    if (m->module)
        LLVMDisposeModule(m->module);
    LLVMContextDispose(m->context);
    free(m);
}

struct LLVMOpaqueModule *merge_module(struct merge *m)
{
    return m->module;
}

size_t merge_count(const struct merge *m)
{
    return m->count;
}

bool merge_add(struct merge *m, struct bytes bitcode, const char *from,
               struct err *e)
{
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
        bitcode.at, bitcode.size, from);
    LLVMModuleRef module = NULL;
    bool bad = LLVMParseBitcodeInContext2(m->context, buffer, &module);

    LLVMDisposeMemoryBuffer(buffer);
    if (bad)
        return err_set(e, "%s: cannot read its bitcode: %s", from, m->message);
    if (!ir_has_prefix(LLVMGetTarget(module), "x86_64")) {
        err_set(e, "%s: compiled for %s; Fencer knows x86-64 only", from,
                LLVMGetTarget(module));
        LLVMDisposeModule(module);
        return false;
    }
    m->count++;
    if (!m->module) {
        m->module = module;
        return true;
    }
    if (LLVMLinkModules2(m->module, module))
        return err_set(e, "%s: %s", from, m->message);
    return true;
}

/* ---- The ordinary object ---- */

bool emit_carrier(const char *bitcode_path, const char *object, struct err *e)
{
    struct buf bitcode = {0}, section = {0};
    struct merge *m = merge_new();
    bool ok = buf_read_file(&bitcode, bitcode_path, LARGEST, e);

    if (ok)
        ok = merge_add(m, (struct bytes){bitcode.bytes, bitcode.count}, object,
                       e);
    if (ok) {
        LLVMTargetMachineRef tm = machine(LLVMCodeGenLevelNone, LLVMRelocPIC);

        carrier_assembly(&section, bitcode_path, bitcode.count);
        LLVMAppendModuleInlineAsm(m->module, section.bytes, section.count);
        LLVMStripModuleDebugInfo(m->module);
        ok = write_object(m, tm, object, e);
        LLVMDisposeTargetMachine(tm);
    }
    merge_free(m);
    buf_free(&bitcode);
    buf_free(&section);
    return ok;
}

/* ---- The instrumented object ---- */

static bool run_passes(struct merge *m, LLVMTargetMachineRef tm,
                       const char *passes, struct err *e)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error;

    /* Hooks sit in every loop: there is nothing to vectorise or unroll. */
    LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
    LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
    LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
    error = LLVMRunPasses(m->module, passes, tm, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return true;

    char *message = LLVMGetErrorMessage(error);

    err_set(e, "LLVM cannot optimise: %s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

/* First the program, its accesses still calls; then the fast paths. */
static bool optimise(struct merge *m, LLVMTargetMachineRef tm, struct err *e)
{
    if (!run_passes(m, tm, "default<O1>", e))
        return false;
    fast_write_bodies(m->module);
    return run_passes(m, tm, "always-inline,function(early-cse,simplifycfg)",
                      e);
}

bool merge_emit(struct merge *m, const struct emit_options *options,
                const char *object, struct err *e)
{
    LLVMTargetMachineRef tm = machine(LLVMCodeGenLevelDefault, LLVMRelocStatic);
    LLVMTargetDataRef data = LLVMCreateTargetDataLayout(tm);
    struct pass_options pass = {.optimised = options->optimised,
                                .open = options->open,
                                .tracks = options->tracks,
                                .limits = options->limits};
    bool ok = pass_run(m->module, data, &pass, e);
    char *message = NULL;

    if (ok && options->ir &&
        LLVMPrintModuleToFile(m->module, options->ir, &message)) {
        ok = err_set(e, "cannot write %s: %s", options->ir, message);
        LLVMDisposeMessage(message);
    }
    LOG(INSTRUMENT, "instrumented");
    ok = ok && optimise(m, tm, e);
    LOG(INSTRUMENT, "optimised");
    ok = ok && write_object(m, tm, object, e);
    LOG(INSTRUMENT, "written");
    LLVMDisposeTargetData(data);
    LLVMDisposeTargetMachine(tm);
    return ok;
}
