/* SPDX-License-Identifier: MIT
 *
 * One source file at a time through clang.
 *
 * -O0 with SROA afterwards keeps one C access one event; at -O1 clang deletes
 * racy re-reads and turns `while (!go);` into a loop without an event.
 */
#include "instrument/compile.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/home.h"
#include "instrument/emit.h"

/* Unset locals get a pattern, so that a program which reads them behaves the
 * same each time; not large ones, for speed. */
static const char *const faithful[] = {"-O0",
                                       "-Xclang",
                                       "-disable-O0-optnone",
                                       "-ftrivial-auto-var-init=pattern",
                                       "-ftrivial-auto-var-init-max-size=1024",
                                       NULL};

static const char *const as_optimised[] = {
    "-O2", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", NULL};

static const char *const always[] = {
    "-g",
    "-fno-discard-value-names",
    "-fno-exceptions",
    "-fno-lto",
    "-fno-stack-protector",
    "-mcx16", /* 16-byte atomics are instructions, not library calls */
    "-U_FORTIFY_SOURCE",
    "-Qunused-arguments",
    NULL};

static void add_words(struct strs *command, const char *const *words)
{
    for (; *words; words++)
        strs_add(command, *words);
}

bool compile_add_headers(struct strs *command, struct err *e)
{
    char include[PATH_MAX];

    if (!home_path("include", include, e))
        return false;
    strs_add(command, "-D__FENCER__");
    strs_add(command, "-idirafter");
    strs_add(command, include);
    return true;
}

/* -MD without -MF would name its file after the temporary output. */
static void add_deps(struct strs *command, const struct args *a,
                     const char *target)
{
    const char *slash = strrchr(target, '/');
    const char *dot = strrchr(target, '.');
    size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - target)
                                                 : strlen(target);

    if (!a->makes_deps)
        return;
    strs_add(command, "-MF");
    if (a->deps)
        strs_add(command, a->deps);
    else
        strs_addf(command, "%.*s.d", (int)stem, target);
    if (!a->names_target) {
        strs_add(command, "-MQ");
        strs_add(command, target);
    }
}

static void add_input(struct strs *command, const struct input *in)
{
    if (in->language) {
        strs_add(command, "-x");
        strs_add(command, in->language);
    }
    strs_add(command, in->text);
}

static bool begin_command(struct strs *command, const struct args *a,
                          const char *target, struct err *e)
{
    strs_add(command, CLANG);
    strs_add_all(command, &a->compile);
    if (!compile_add_headers(command, e))
        return false;
    add_deps(command, a, target);
    return true;
}

int compile_bitcode(const struct args *a, const struct input *in,
                    const char *target, const char *bitcode, struct err *e)
{
    struct strs command = {0};
    int code = -1;

    if (begin_command(&command, a, target, e)) {
        add_words(&command, a->optimised ? as_optimised : faithful);
        add_words(&command, always);
        strs_add(&command, "-c");
        strs_add(&command, "-emit-llvm");
        add_input(&command, in);
        strs_add(&command, "-o");
        strs_add(&command, bitcode);
        code = work_run(&command, NULL, NULL, e);
    }
    strs_free(&command);
    return code;
}

static int compile_native(const struct args *a, const struct input *in,
                          const char *target, const char *object, struct err *e)
{
    struct strs command = {0};
    int code = -1;

    if (begin_command(&command, a, target, e)) {
        strs_add(&command, "-Qunused-arguments");
        strs_add(&command, "-c");
        add_input(&command, in);
        strs_add(&command, "-o");
        strs_add(&command, object);
        code = work_run(&command, NULL, NULL, e);
    }
    strs_free(&command);
    return code;
}

int compile_object(const struct args *a, const struct input *in, struct work *w,
                   const char *target, const char *object, struct err *e)
{
    if (in->kind == INPUT_NATIVE)
        return compile_native(a, in, target, object, e);

    const char *bitcode = work_file(w, ".bc");
    int code = compile_bitcode(a, in, target, bitcode, e);

    if (code == 0 && !emit_carrier(bitcode, object, e))
        return -1;
    return code;
}
