/* SPDX-License-Identifier: MIT
 *
 * Tables first: what each flag of gcc and clang means to us.  A flag in no
 * table goes to the compiler, which knows it or complains.
 */
#include "instrument/args.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/check.h"

#define RESPONSE_MAX (16u << 20)
#define RESPONSE_DEPTH 8

enum meaning {
    TO_COMPILE,  /* for the compiler */
    TO_LINK,     /* for the linker, anywhere */
    TO_PLACE,    /* for the linker, where it stands */
    TO_BOTH,     /* for both */
    DROP,        /* would change what we test, or how we build */
    PASS,        /* clang's business alone */
    PASS_SOURCE, /* the same, but with our macro and headers */
    OUTPUT,
    LANGUAGE,
    COMPILE_ONLY,
    SHARED,
    DEPS_FILE,
    DEPS_MAKE,
    DEPS_TARGET,
    AS_OPTIMISED,
    TRACK_DEPS,
    DUMP
};

enum shape {
    ALONE,  /* the whole word */
    NEXT,   /* the word, and the next one is its value */
    EITHER, /* value joined, or the next word */
    PREFIX  /* anything that starts so */
};

static const struct flag {
    const char *text;
    enum shape shape;
    enum meaning meaning;
} flags[] = {
    {"-c", ALONE, COMPILE_ONLY},
    {"-o", EITHER, OUTPUT},
    {"-x", EITHER, LANGUAGE},
    {"-E", ALONE, PASS_SOURCE},
    {"-M", ALONE, PASS_SOURCE},
    {"-MM", ALONE, PASS_SOURCE},
    {"-S", ALONE, PASS_SOURCE},
    {"-fsyntax-only", ALONE, PASS_SOURCE},
    {"-emit-llvm", ALONE, PASS_SOURCE},
    {"--analyze", ALONE, PASS_SOURCE},
    {"-###", ALONE, PASS},
    {"--version", ALONE, PASS},
    {"-dumpversion", ALONE, PASS},
    {"-dumpmachine", ALONE, PASS},
    {"-dumpspecs", ALONE, PASS},
    {"-dumpfullversion", ALONE, PASS},
    {"--help", PREFIX, PASS},
    {"--target-help", ALONE, PASS},
    {"-print-", PREFIX, PASS},
    {"--print-", PREFIX, PASS},
    {"-MD", ALONE, DEPS_MAKE},
    {"-MMD", ALONE, DEPS_MAKE},
    {"-MF", EITHER, DEPS_FILE},
    {"-MT", EITHER, DEPS_TARGET},
    {"-MQ", EITHER, DEPS_TARGET},
    {"-MP", ALONE, TO_COMPILE},
    {"-MG", ALONE, TO_COMPILE},
    {"--as-optimised", ALONE, AS_OPTIMISED},
    {"--track-deps", ALONE, TRACK_DEPS},
    {"--dump-instrumented=", PREFIX, DUMP},
    {"-shared", ALONE, SHARED},
    {"--shared", ALONE, SHARED},
    {"-r", ALONE, SHARED},
    {"-l", EITHER, TO_PLACE},
    {"-Wl,", PREFIX, TO_PLACE},
    {"-Xlinker", NEXT, TO_PLACE},
    {"-L", EITHER, TO_LINK},
    {"-T", EITHER, TO_LINK},
    {"-u", EITHER, TO_LINK},
    {"-z", EITHER, TO_LINK},
    {"-e", EITHER, TO_LINK},
    {"-static-pie", ALONE, DROP},
    {"-static", ALONE, TO_LINK},
    {"--static", ALONE, TO_LINK},
    {"-static-libgcc", ALONE, TO_LINK},
    {"-shared-libgcc", ALONE, TO_LINK},
    {"-rdynamic", ALONE, TO_LINK},
    {"-s", ALONE, TO_LINK},
    {"-nostdlib", ALONE, TO_LINK},
    {"-nodefaultlibs", ALONE, TO_LINK},
    {"-nostartfiles", ALONE, TO_LINK},
    {"-fuse-ld=", PREFIX, TO_LINK},
    {"-B", EITHER, TO_BOTH},
    {"--sysroot", EITHER, TO_BOTH},
    {"-pthread", ALONE, TO_BOTH},
    {"-m64", ALONE, TO_BOTH},
    {"-target", NEXT, TO_BOTH},
    {"--target=", PREFIX, TO_BOTH},
    {"-v", ALONE, TO_BOTH},
    {"-pie", ALONE, DROP},
    {"-no-pie", ALONE, DROP},
    {"-nopie", ALONE, DROP},
    {"-O", PREFIX, DROP},
    {"-flto", PREFIX, DROP},
    {"-fno-lto", PREFIX, DROP},
    {"-ffat-lto-objects", ALONE, DROP},
    {"-fno-fat-lto-objects", ALONE, DROP},
    {"-fuse-linker-plugin", ALONE, DROP},
    {"-fsanitize", PREFIX, DROP},
    {"-fno-sanitize", PREFIX, DROP},
    {"-fprofile-", PREFIX, DROP},
    {"-ftest-coverage", ALONE, DROP},
    {"--coverage", ALONE, DROP},
    {"-coverage", ALONE, DROP},
    {"-pg", ALONE, DROP},
    {"-p", ALONE, DROP},
    {"-gsplit-dwarf", ALONE, DROP},
    {"-fembed-bitcode", PREFIX, DROP},
    {"-ftrivial-auto-var-init", PREFIX, DROP},
    {"-finstrument-functions", ALONE, DROP},
    {"-save-temps", PREFIX, DROP},
    {"--save-temps", PREFIX, DROP},
    {"-I", EITHER, TO_COMPILE},
    {"-D", EITHER, TO_COMPILE},
    {"-U", EITHER, TO_COMPILE},
    {"-A", EITHER, TO_COMPILE},
    {"-include", NEXT, TO_COMPILE},
    {"-imacros", NEXT, TO_COMPILE},
    {"-isystem", EITHER, TO_COMPILE},
    {"-iquote", EITHER, TO_COMPILE},
    {"-idirafter", EITHER, TO_COMPILE},
    {"-iprefix", NEXT, TO_COMPILE},
    {"-iwithprefix", NEXT, TO_COMPILE},
    {"-isysroot", NEXT, TO_COMPILE},
    {"-Xclang", NEXT, TO_COMPILE},
    {"-Xpreprocessor", NEXT, TO_COMPILE},
    {"-Xassembler", NEXT, TO_COMPILE},
    {"-mllvm", NEXT, TO_COMPILE},
    {"--param", EITHER, TO_COMPILE},
    {"-arch", NEXT, TO_COMPILE},
};

/* Does the word say this flag?  *joined: the value is in it, or NULL. */
static bool says(const struct flag *f, const char *word, const char **joined)
{
    size_t length = strlen(f->text);

    *joined = NULL;
    if (strncmp(word, f->text, length) != 0)
        return false;
    switch (f->shape) {
    case ALONE:
    case NEXT:
        return word[length] == '\0';
    case EITHER:
        if (word[length])
            *joined = word + length;
        return true;
    case PREFIX:
        *joined = word + length;
        return true;
    }
    return false;
}

/* The longest flag that the word says: -MMD is not -M, -static not -s. */
static const struct flag *find_flag(const char *word, const char **joined)
{
    const struct flag *best = NULL;

    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        const char *value;

        if (says(&flags[i], word, &value) &&
            (!best || strlen(flags[i].text) > strlen(best->text))) {
            best = &flags[i];
            *joined = value;
        }
    }
    return best;
}

/* ---- Response files ---- */

bool args_split(struct strs *out, const char *text, struct err *e)
{
    struct buf word = {0};
    bool inside = false, ok = true;
    char quote = '\0';

    for (; *text; text++) {
        if (*text == '\\' && quote != '\'' && text[1]) {
            buf_putc(&word, *++text);
            inside = true;
        } else if (quote) {
            if (*text == quote)
                quote = '\0';
            else
                buf_putc(&word, *text);
        } else if (*text == '"' || *text == '\'') {
            quote = *text;
            inside = true;
        } else if (isspace((unsigned char)*text)) {
            if (inside)
                strs_add_n(out, word.count ? word.bytes : "", word.count);
            buf_clear(&word);
            inside = false;
        } else {
            buf_putc(&word, *text);
            inside = true;
        }
    }
    if (quote)
        ok = err_set(e, "a quote that does not end");
    else if (inside)
        strs_add_n(out, word.count ? word.bytes : "", word.count);
    buf_free(&word);
    return ok;
}

static bool expand(struct strs *out, const char *word, int depth, struct err *e)
{
    struct buf text = {0};
    struct strs words = {0};
    struct err missing;
    bool ok = true;

    /* A name that cannot be read stands for itself, as with gcc. */
    if (*word != '@' || !word[1] ||
        !buf_read_file(&text, word + 1, RESPONSE_MAX, &missing)) {
        buf_free(&text);
        strs_add(out, word);
        return true;
    }
    if (depth == RESPONSE_DEPTH)
        ok = err_set(e, "%s: response files name each other", word);
    ok = ok && (!text.count || args_split(&words, text.bytes, e) ||
                err_in(e, "%s", word));
    for (size_t i = 0; ok && i < words.count; i++)
        ok = expand(out, words.list[i], depth + 1, e);
    buf_free(&text);
    strs_free(&words);
    return ok;
}

/* ---- Inputs ---- */

static void add_input(struct args *a, enum input_kind kind, const char *text,
                      const char *language)
{
    VEC_PUSH(&a->inputs,
             {kind, strdup(text), language ? strdup(language) : NULL});
}

static bool has_ending(const char *path, const char *const *endings)
{
    const char *dot = strrchr(path, '.');

    for (; dot && *endings; endings++) {
        if (strcmp(dot, *endings) == 0)
            return true;
    }
    return false;
}

static void add_file(struct args *a, const char *path, const char *language)
{
    static const char *const c[] = {".c", ".i", ".ll", ".bc", NULL};
    static const char *const native[] = {".s",   ".S", ".sx",  ".cc", ".cpp",
                                         ".cxx", ".C", ".c++", ".ii", NULL};
    enum input_kind kind = INPUT_LINK;

    if (language)
        kind = strcmp(language, "c") == 0 ||
                       strcmp(language, "cpp-output") == 0 ||
                       strcmp(language, "ir") == 0
                   ? INPUT_C
                   : INPUT_NATIVE;
    else if (has_ending(path, c))
        kind = INPUT_C;
    else if (has_ending(path, native))
        kind = INPUT_NATIVE;
    add_input(a, kind, path, language);
}

/* ---- One flag ---- */

struct reader {
    struct args *a;
    size_t at;
    const char *language;
    bool pass, compile_only;
};

static void to_list(struct strs *list, const char *word, const char *next)
{
    strs_add(list, word);
    if (next)
        strs_add(list, next);
}

static void replace(char **place, const char *text)
{
    free(*place);
    *place = strdup(text);
}

static void use_flag(struct reader *r, const struct flag *f, const char *word,
                     const char *value, const char *next)
{
    struct args *a = r->a;

    switch (f->meaning) {
    case TO_LINK:
        to_list(&a->link, word, next);
        break;
    case TO_PLACE:
        add_input(a, INPUT_LINK, word, NULL);
        if (next)
            add_input(a, INPUT_LINK, next, NULL);
        break;
    case TO_BOTH:
        to_list(&a->link, word, next);
        to_list(&a->compile, word, next);
        break;
    case DROP:
        break;
    case PASS:
        r->pass = true;
        break;
    case PASS_SOURCE:
        r->pass = a->preprocesses = true;
        break;
    case OUTPUT:
        replace(&a->output, value);
        break;
    case LANGUAGE:
        r->language = strcmp(value, "none") == 0 ? NULL : value;
        break;
    case COMPILE_ONLY:
        r->compile_only = true;
        break;
    case SHARED:
        a->shared = true;
        strs_add(&a->link, word);
        break;
    case DEPS_FILE:
        replace(&a->deps, value);
        break;
    case DEPS_TARGET:
        a->names_target = true;
        to_list(&a->compile, word, next);
        break;
    case DEPS_MAKE:
        a->makes_deps = true;
        strs_add(&a->compile, word);
        break;
    case AS_OPTIMISED:
        a->optimised = true;
        break;
    case TRACK_DEPS:
        a->tracks_deps = true;
        break;
    case DUMP:
        replace(&a->dump, value);
        break;
    case TO_COMPILE:
        to_list(&a->compile, word, next);
        break;
    }
}

static bool read_word(struct reader *r, struct err *e)
{
    struct args *a = r->a;
    const char *word = a->all.list[r->at++], *value, *next = NULL;

    if (word[0] != '-' || word[1] == '\0') {
        add_file(a, word, r->language);
        return true;
    }

    const struct flag *f = find_flag(word, &value);

    if (!f) {
        strs_add(&a->compile, word);
        return true;
    }
    if (f->shape == NEXT || (f->shape == EITHER && !value)) {
        if (r->at == a->all.count)
            return err_set(e, "argument to '%s' is missing", word);
        next = value = a->all.list[r->at++];
    }
    use_flag(r, f, word, value ? value : "", next);
    return true;
}

static bool check_inputs(struct args *a, struct err *e)
{
    size_t sources = 0;

    if (a->mode == CC_PASS)
        return true;
    for (size_t i = 0; i < a->inputs.count; i++)
        sources += a->inputs.list[i].kind != INPUT_LINK;
    if (a->mode == CC_COMPILE && a->output && sources > 1)
        return err_set(e, "cannot specify -o when generating multiple output "
                          "files");
    return true;
}

bool args_parse(struct args *a, int argc, char **argv, struct err *e)
{
    struct reader r = {.a = a};
    const char *wish = getenv("FENCER_AS_OPTIMISED");

    memset(a, 0, sizeof(*a));
    a->optimised = wish && strcmp(wish, "1") == 0;
    for (int i = 0; i < argc; i++) {
        if (!expand(&a->all, argv[i], 0, e))
            return false;
    }
    while (r.at < a->all.count) {
        if (!read_word(&r, e))
            return false;
    }

    bool files = false;

    for (size_t i = 0; i < a->inputs.count; i++)
        files |= a->inputs.list[i].text[0] != '-' ||
                 a->inputs.list[i].text[1] == '\0';
    a->mode = r.pass || !files ? CC_PASS
              : r.compile_only ? CC_COMPILE
                               : CC_LINK;
    return check_inputs(a, e);
}

void args_free(struct args *a)
{
    strs_free(&a->all);
    strs_free(&a->compile);
    strs_free(&a->link);
    for (size_t i = 0; i < a->inputs.count; i++) {
        free(a->inputs.list[i].text);
        free(a->inputs.list[i].language);
    }
    VEC_FREE(&a->inputs);
    free(a->output);
    free(a->deps);
    free(a->dump);
}
