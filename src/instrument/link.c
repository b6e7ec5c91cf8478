/* SPDX-License-Identifier: MIT
 *
 * The linker itself says what takes part: a trial link of the ordinary
 * objects, with --trace, names every object and archive member it loads.
 * Their bitcode is merged and instrumented; objects without any are linked as
 * they are, and named in the limits.
 *
 * Where only sources and system libraries are given there is nothing to try,
 * and the sources' bitcode is used directly.
 */
#include "instrument/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/check.h"
#include "base/home.h"
#include "base/log.h"
#include "base/vec.h"
#include "instrument/carrier.h"
#include "instrument/compile.h"
#include "instrument/direct.h"
#include "instrument/emit.h"

#define LARGEST (4ull << 30)

/* What stands in the place of each input on the linker's command line. */
struct part {
    const char *text;    /* object, library or flag */
    const char *bitcode; /* file, for sources taken directly; else NULL */
    const char *source;  /* what the user wrote */
    bool merged;         /* its code is in the instrumented object */
};

struct linking {
    const struct args *a;
    struct work *w;
    VEC(struct part) parts;
    struct merge *merge;
    struct strs limits;
    struct strs seen; /* "libx.a(m.o)", one for each time it was loaded */
    bool open;        /* code without bitcode takes part */
};

static const char *output_of(const struct args *a)
{
    return a->output ? a->output : "a.out";
}

/* ---- Sources to objects or bitcode ---- */

static int compile_parts(struct linking *l, bool objects, struct err *e)
{
    const struct args *a = l->a;

    for (size_t i = 0; i < a->inputs.count; i++) {
        const struct input *in = &a->inputs.list[i];
        struct part *part = VEC_ADD(&l->parts);
        int code;

        *part = (struct part){in->text, NULL, in->text, false};
        if (in->kind == INPUT_LINK)
            continue;
        if (in->kind == INPUT_C && !objects) {
            part->text = part->bitcode = work_file(l->w, ".bc");
            code = compile_bitcode(a, in, output_of(a), part->bitcode, e);
        } else {
            part->text = work_file(l->w, ".o");
            code = compile_object(a, in, l->w, output_of(a), part->text, e);
        }
        if (code) {
            snprintf(l->w->failed, sizeof(l->w->failed), "%s", in->text);
            return code;
        }
    }
    return 0;
}

/* ---- Collecting bitcode ---- */

struct adding {
    struct linking *l;
    const char *from;
};

static bool add_record(void *context, struct bytes bitcode, struct err *e)
{
    struct adding *adding = context;

    return merge_add(adding->l->merge, bitcode, adding->from, e);
}

/* Code in the folders of the system is the library's: it is known by the
 * names of its functions, not by its files. */
static bool is_system(const char *path)
{
    static const char *const folders[] = {"/usr/lib/", "/lib/", "/lib64/",
                                          "/usr/lib64/", "/usr/local/lib/"};

    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        if (strncmp(path, folders[i], strlen(folders[i])) == 0)
            return true;
    }
    return strstr(path, "/../lib/") != NULL;
}

static struct part *part_of(struct linking *l, const char *path)
{
    for (size_t i = 0; i < l->parts.count; i++) {
        if (strcmp(l->parts.list[i].text, path) == 0)
            return &l->parts.list[i];
    }
    return NULL;
}

static void no_bitcode(struct linking *l, const char *name)
{
    struct part *part = part_of(l, name);

    l->open = true;
    strs_addf(&l->limits, "%s has no bitcode: runs uninstrumented",
              part ? part->source : name);
}

static bool add_elf(struct linking *l, struct bytes elf, const char *name,
                    bool *had, struct err *e)
{
    struct bytes section;
    struct adding adding = {l, name};
    size_t before = merge_count(l->merge);

    if (!carrier_section(elf, CARRIER_SECTION, &section, e) ||
        !carrier_each(section, add_record, &adding, e))
        return err_in(e, "%s", name);
    *had = merge_count(l->merge) > before;
    return true;
}

static bool is_shared_object(struct bytes file)
{
    /* e_type of the ELF header: ET_DYN */
    return is_elf(file) && file.at[16] == 3;
}

static bool add_object(struct linking *l, const char *path, struct bytes file,
                       struct err *e)
{
    struct part *part = part_of(l, path);
    struct bytes section;
    bool had = false;

    if (!is_elf(file))
        return true; /* an archive, whose members follow; a linker script */
    if (is_shared_object(file)) {
        if (carrier_section(file, CARRIER_SECTION, &section, e) &&
            section.size) {
            l->open = true;
            strs_addf(&l->limits, "%s is a shared library: runs uninstrumented",
                      path);
        }
        return true;
    }
    if (!add_elf(l, file, part ? part->source : path, &had, e))
        return false;
    if (!had && !is_system(path))
        no_bitcode(l, path);
    if (had && part)
        part->merged = true;
    return true;
}

static bool add_file(struct linking *l, const char *path, struct err *e)
{
    struct buf file = {0};
    bool ok = buf_read_file(&file, path, LARGEST, e) &&
              add_object(l, path, (struct bytes){file.bytes, file.count}, e);

    buf_free(&file);
    return ok;
}

static bool add_member(struct linking *l, const char *archive,
                       const char *member, struct err *e)
{
    struct buf file = {0};
    struct bytes content;
    char name[4096];
    size_t nth = 0;
    bool had = false, ok;

    if (is_system(archive))
        return true;
    snprintf(name, sizeof(name), "%s(%s)", archive, member);
    for (size_t i = 0; i < l->seen.count; i++)
        nth += strcmp(l->seen.list[i], name) == 0;
    strs_add(&l->seen, name);
    ok = buf_read_file(&file, archive, LARGEST, e) &&
         (archive_member((struct bytes){file.bytes, file.count}, member, nth,
                         &content, e) ||
          err_in(e, "%s", archive)) &&
         add_elf(l, content, name, &had, e);
    if (ok && !had)
        no_bitcode(l, name);
    buf_free(&file);
    return ok;
}

/* A line of the linker's trace: "x.o", "libx.a(m.o)" or "(libx.a)m.o". */
static bool add_traced(struct linking *l, char *line, struct err *e)
{
    char *open = strrchr(line, '('), *close = strrchr(line, ')');

    if (line[0] == '(' && close) {
        *close = '\0';
        return add_member(l, line + 1, close + 1, e);
    }
    if (open && close && close[1] == '\0') {
        *open = *close = '\0';
        return add_member(l, line, open + 1, e);
    }
    if (line[0] == '-' || access(line, R_OK) != 0)
        return true; /* "-lc (/lib/...)" of other linkers */
    return add_file(l, line, e);
}

/* ---- The trial ---- */

static void begin_command(struct linking *l, struct strs *command,
                          const char *output)
{
    strs_add(command, CLANG);
    strs_add(command, "-no-pie");
    strs_add(command, "-Qunused-arguments");
    strs_add(command, "-o");
    strs_add(command, output);
    strs_add_all(command, &l->a->link);
}

static bool read_trace(struct linking *l, const char *path, struct err *e)
{
    struct buf text = {0};
    bool ok = buf_read_file(&text, path, LARGEST, e);
    char *rest = text.bytes;

    for (char *line; ok && rest && (line = strsep(&rest, "\n"));) {
        if (*line)
            ok = add_traced(l, line, e);
    }
    buf_free(&text);
    return ok;
}

/* What the linker complained about.  When the trial goes well its warnings
 * are kept back: the real link says them again. */
static void show_complaints(const char *path)
{
    struct buf text = {0};
    struct err ignored;

    if (buf_read_file(&text, path, LARGEST, &ignored) && text.count)
        fwrite(text.bytes, 1, text.count, stderr);
    buf_free(&text);
}

static int try_link(struct linking *l, struct err *e)
{
    struct strs command = {0};
    const char *trace = work_file(l->w, ".trace");
    const char *messages = work_file(l->w, ".err");
    int code;

    begin_command(l, &command, work_file(l->w, ".trial"));
    for (size_t i = 0; i < l->parts.count; i++)
        strs_add(&command, l->parts.list[i].text);
    /* fencer.h's functions are the runtime's, which is not there yet. */
    strs_add(&command, "-Wl,--unresolved-symbols=ignore-all");
    strs_add(&command, "-Wl,--trace,--trace"); /* twice: archive members */
    code = work_run(&command, trace, messages, e);
    strs_free(&command);
    if (code > 0)
        show_complaints(messages);
    /* The linker does not say that its trace was cut off. */
    if (code == 0 && (work_is_full(l->w, NULL, e) || !read_trace(l, trace, e)))
        code = -1;
    return code;
}

/* ---- The real link ---- */

static bool find_runtime(char path[PATH_MAX], struct err *e)
{
    if (!home_path("libfencer_rt.a", path, e))
        return false;
    return access(path, R_OK) == 0 ||
           err_set(e, "the runtime %s is missing", path);
}

/* The instrumented code and the runtime come first: `main` must be the
 * runtime's, whatever an archive has. */
static int link_by_clang(struct linking *l, const char *object,
                         const char *runtime, struct err *e)
{
    struct strs command = {0};
    int code;

    begin_command(l, &command, output_of(l->a));
    strs_add(&command, object);
    strs_add(&command, runtime);
    for (size_t i = 0; i < l->parts.count; i++) {
        const struct part *part = &l->parts.list[i];

        if (!part->merged && !part->bitcode)
            strs_add(&command, part->text);
    }
    strs_add(&command, "-lm");
    strs_add(&command, "-lpthread");
    strs_add(&command, "-ldl");
    code = work_run(&command, NULL, NULL, e);
    strs_free(&command);
    return code;
}

/* What goes wrong is done again by clang, which tells it as people know it. */
static int final_link(struct linking *l, const char *object, struct err *e)
{
    char runtime[PATH_MAX];

    if (!find_runtime(runtime, e))
        return -1;
    if (direct_link(l->a, l->w, object, runtime, output_of(l->a)))
        return 0;
    return link_by_clang(l, object, runtime, e);
}

static int instrument_and_link(struct linking *l, struct err *e)
{
    const char *object = work_file(l->w, ".o");
    struct emit_options options = {.optimised = l->a->optimised,
                                   .tracks = l->a->tracks_deps,
                                   .open = l->open,
                                   .limits = &l->limits,
                                   .ir = l->a->dump};

    if (!merge_emit(l->merge, &options, object, e))
        return -1;
    return final_link(l, object, e);
}

static bool merge_sources(struct linking *l, struct err *e)
{
    for (size_t i = 0; i < l->parts.count; i++) {
        const struct part *part = &l->parts.list[i];
        struct buf file = {0};
        bool ok = true;

        if (part->bitcode)
            ok = buf_read_file(&file, part->bitcode, LARGEST, e) &&
                 merge_add(l->merge, (struct bytes){file.bytes, file.count},
                           part->source, e);
        buf_free(&file);
        if (!ok)
            return false;
    }
    return true;
}

/* Are there only sources, and libraries from the system's folders? */
static bool only_sources(const struct args *a)
{
    bool some = false;

    for (size_t i = 0; i < a->inputs.count; i++) {
        const struct input *in = &a->inputs.list[i];

        if (in->kind == INPUT_NATIVE ||
            (in->kind == INPUT_LINK && strncmp(in->text, "-l", 2) != 0))
            return false;
        some |= in->kind == INPUT_C;
    }
    for (size_t i = 0; i < a->link.count; i++) {
        if (strncmp(a->link.list[i], "-L", 2) == 0)
            return false;
    }
    return some;
}

int link_plain(const struct args *a, struct work *w, struct err *e)
{
    struct linking l = {.a = a, .w = w};
    struct strs command = {0};
    int code;

    code = compile_parts(&l, true, e);
    if (code == 0) {
        strs_add(&command, CLANG);
        strs_add(&command, "-Qunused-arguments");
        strs_add(&command, "-o");
        strs_add(&command, output_of(a));
        strs_add_all(&command, &a->link);
        for (size_t i = 0; i < l.parts.count; i++)
            strs_add(&command, l.parts.list[i].text);
        code = work_run(&command, NULL, NULL, e);
    }
    strs_free(&command);
    VEC_FREE(&l.parts);
    return code;
}

int link_bitcode(const struct args *a, struct work *w, struct merge *into,
                 struct err *e)
{
    struct linking l = {.a = a, .w = w, .merge = into};
    int code;

    code = compile_parts(&l, false, e);
    if (code == 0 && !merge_sources(&l, e))
        code = -1;
    VEC_FREE(&l.parts);
    return code;
}

int link_program(const struct args *a, struct work *w, struct err *e)
{
    struct linking l = {.a = a, .w = w};
    bool direct = only_sources(a);
    int code;

    l.merge = merge_new();
    code = compile_parts(&l, !direct, e);
    if (code == 0 && direct)
        code = merge_sources(&l, e) ? 0 : -1;
    else if (code == 0)
        code = try_link(&l, e);
    if (code == 0 && merge_count(l.merge) == 0) {
        LOG(CC, "no bitcode anywhere: a plain link");
        struct strs command = {0};

        begin_command(&l, &command, output_of(a));
        for (size_t i = 0; i < l.parts.count; i++)
            strs_add(&command, l.parts.list[i].text);
        code = work_run(&command, NULL, NULL, e);
        strs_free(&command);
    } else if (code == 0) {
        code = instrument_and_link(&l, e);
    }
    merge_free(l.merge);
    strs_free(&l.limits);
    strs_free(&l.seen);
    VEC_FREE(&l.parts);
    return code;
}
