/* SPDX-License-Identifier: MIT
 *
 * The compiler driver, and how other commands build and know programs.
 */
#include "instrument/instrument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/args.h"
#include "instrument/compile.h"
#include "instrument/link.h"
#include "instrument/work.h"

/* Clang does it alone. */
static int pass_on(const struct args *a, struct err *e)
{
    struct strs command = {0};
    int code = -1;

    strs_add(&command, CLANG);
    for (size_t i = 0; i < a->all.count; i++) {
        if (strcmp(a->all.list[i], "--as-optimised") != 0 &&
            strcmp(a->all.list[i], "--track-deps") != 0)
            strs_add(&command, a->all.list[i]);
    }
    if (!a->preprocesses || compile_add_headers(&command, e)) {
        if (a->preprocesses)
            strs_add(&command, "-Qunused-arguments");
        code = work_run(&command, NULL, NULL, e);
    }
    strs_free(&command);
    return code;
}

/* dir/x.c becomes x.o, in the current folder. */
static char *object_name(const struct args *a, const struct input *in)
{
    const char *slash = strrchr(in->text, '/');
    const char *base = slash ? slash + 1 : in->text;
    const char *dot = strrchr(base, '.');
    struct strs made = {0};
    char *name;

    if (a->output)
        return strdup(a->output);
    strs_addf(&made, "%.*s.o", (int)(dot ? (size_t)(dot - base) : strlen(base)),
              base);
    name = strdup(made.list[0]);
    strs_free(&made);
    return name;
}

/* Every file is tried, as clang does; the worst code counts. */
static int compile_all(const struct args *a, struct work *w, struct err *e)
{
    int worst = 0;

    for (size_t i = 0; i < a->inputs.count && worst >= 0; i++) {
        const struct input *in = &a->inputs.list[i];
        char *object;
        int code;

        if (in->kind == INPUT_LINK)
            continue;
        object = object_name(a, in);
        code = compile_object(a, in, w, object, object, e);
        if (code)
            worst = code;
        free(object);
    }
    return worst;
}

/* Clang and the linker fail with 1 for whatever reason; a full disk is none of
 * the source's making. */
static int end_work(struct work *w, const char *output, int code, struct err *e)
{
    if (code && work_is_full(w, output, e))
        code = INSTRUMENT_UNABLE;
    work_end(w);
    return code;
}

/* `failed`: a source that does not compile, or empty. */
static int run_cc(int argc, char **argv, char *failed, size_t size,
                  struct err *e)
{
    struct args a;
    struct work w = {0};
    int code = -1;

    if (!args_parse(&a, argc, argv, e)) {
        args_free(&a);
        return -2;
    }
    if (a.mode == CC_PASS)
        code = pass_on(&a, e);
    else if (work_begin(&w, e))
        code = a.mode == CC_COMPILE ? compile_all(&a, &w, e)
               : a.shared           ? link_plain(&a, &w, e)
                                    : link_program(&a, &w, e);
    snprintf(failed, size, "%s", w.failed);
    code = end_work(&w, a.output, code, e);
    args_free(&a);
    return code;
}

int instrument_cc(int argc, char **argv, struct err *e)
{
    char failed[512];

    return run_cc(argc, argv, failed, sizeof(failed), e);
}

static bool add_sources(struct strs *words, const char *const *sources,
                        size_t count, const char *cflags, struct err *e)
{
    for (size_t i = 0; i < count; i++)
        strs_add(words, sources[i]);
    return !cflags || args_split(words, cflags, e) || err_in(e, "--cflags");
}

int instrument_merge(const char *const *sources, size_t count,
                     const char *cflags, struct merge *into, struct err *e)
{
    struct strs words = {0};
    struct args a = {0};
    struct work w = {0};
    int code = -2;

    if (add_sources(&words, sources, count, cflags, e) &&
        args_parse(&a, (int)words.count, words.list, e))
        code = work_begin(&w, e) ? link_bitcode(&a, &w, into, e) : -1;
    if (code > 0)
        err_set(e, "%s does not compile", w.failed);
    code = end_work(&w, NULL, code, e);
    args_free(&a);
    strs_free(&words);
    return code;
}

int instrument_build(const char *const *sources, size_t count,
                     const char *cflags, unsigned how, const char *output,
                     struct err *e)
{
    struct strs words = {0};
    char failed[512] = "";
    int code = -2;

    if (how & BUILD_OPTIMISED)
        strs_add(&words, "--as-optimised");
    if (how & BUILD_DEPENDS)
        strs_add(&words, "--track-deps");
    strs_add(&words, "-o");
    strs_add(&words, output);
    if (add_sources(&words, sources, count, cflags, e))
        code = run_cc((int)words.count, words.list, failed, sizeof(failed), e);
    if (code > 0 && *failed)
        err_set(e, "%s does not compile", failed);
    else if (code > 0)
        err_set(e, "%s does not link", sources[0]);
    strs_free(&words);
    return code;
}
