/* SPDX-License-Identifier: MIT
 *
 * Sources are built unless the cache has what they become.  The result is a
 * file of this process that nobody else can see, or one of the cache; it is
 * kept under its own name only when a finding needs it.
 */
#include "cmd/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/scratch.h"
#include "base/words.h"
#include "cmd/cache.h"
#include "compiler/compiler.h"
#include "worker/confine.h"

#define KEPT_MAX 10000 /* names to try before giving up */
#define PROGRAM_MAX (1u << 30)

static bool is_source(const char *path)
{
    size_t n = strlen(path);

    return n > 2 && strcmp(path + n - 2, ".c") == 0;
}

static bool is_readable(const char *path, struct err *e)
{
    struct stat st;

    if (stat(path, &st) != 0 || access(path, R_OK) != 0)
        return err_set(e, "%s: %s", path, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return err_set(e, "%s: is a folder", path);
    return true;
}

static bool is_other_language(const char *path)
{
    static const char *const ends[] = {".cpp", ".cc", ".cxx", ".c++", ".C",
                                       ".m",   ".rs", ".go",  NULL};
    const char *dot = strrchr(path, '.');

    for (const char *const *end = ends; dot && *end; end++) {
        if (strcmp(dot, *end) == 0)
            return true;
    }
    return false;
}

/* All sources, or exactly one program. */
static bool check_operands(const struct options *o, bool *sources,
                           struct err *e)
{
    if (o->operand_count == 0)
        return err_set(e, "no program given");
    *sources = is_source(o->operands[0]);
    for (size_t i = 0; i < o->operand_count; i++) {
        if (is_source(o->operands[i]) != *sources)
            return err_set(e,
                           "%s: give either .c files or one program, not both; "
                           "arguments of the program follow --",
                           o->operands[i]);
        if (!is_readable(o->operands[i], e))
            return false;
        if (is_other_language(o->operands[i]))
            return err_set(e, "%s: is no C; sources are .c files",
                           o->operands[i]);
    }
    if (!*sources && o->operand_count > 1)
        return err_set(e, "more than one program given; arguments of the "
                          "program follow --");
    return true;
}

const char *target_name(const struct options *o, struct arena *a)
{
    struct buf names = {0};

    for (size_t i = 0; i < o->operand_count; i++)
        buf_printf(&names, "%s%s", i ? " " : "", o->operands[i]);

    const char *text = arena_copy(a, names.bytes);

    buf_free(&names);
    return text;
}

static const char *stem_of(const char *path, struct arena *a)
{
    const char *base = words_file_name(path);

    return arena_copy_n(a, base, strlen(base) - 2);
}

static void take_built(int file, struct arena *a, struct target *t)
{
    t->file = file;
    t->built = true;
    t->binary = arena_printf(a, "/proc/self/fd/%d", file);
}

/* A built program has no name once it is open: so it is gone with us, whatever
 * ends us. */
static bool open_built(const char *path, struct arena *a, struct target *t,
                       struct err *e)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return err_set(e, "%s: %s", path, strerror(errno));
    take_built(file, a, t);
    return true;
}

/* Dependencies cost time: they are tracked where somebody asks for them. */
static unsigned how_to_build(const struct options *o)
{
    unsigned how = o->as_optimised ? BUILD_OPTIMISED : 0;

    if (o->deps)
        how |= BUILD_DEPENDS;
    for (size_t i = 0; i < o->model_count; i++) {
        if (o->models[i]->by_axioms)
            how |= BUILD_DEPENDS;
    }
    return how;
}

static bool build_anew(const struct options *o, const struct cache_build *b,
                       struct arena *a, struct target *t, struct err *e)
{
    struct scratch scratch;
    struct cache_watch watch;
    const char *path;
    int code;

    confine_children();
    if (!folder_make(o->out, e) || !scratch_make(o->out, &scratch, e))
        return false;
    path = arena_printf(a, "%s/%s", scratch.folder, t->stem);
    cache_watch(&watch, arena_printf(a, "%s/included", scratch.folder));
    code = compiler_build(o->operands, o->operand_count, o->cflags,
                          how_to_build(o), path, e);
    cache_watched();
    t->unable = code == INSTRUMENT_UNABLE;
    if (code == 0 && !open_built(path, a, t, e))
        code = -1;
    if (code == 0 && !o->no_cache)
        cache_keep(b, &watch, path, a);
    scratch_remove(&scratch);
    return code == 0;
}

static bool build(const struct options *o, struct arena *a, struct target *t,
                  struct err *e)
{
    struct cache_build b = {o->operands, o->operand_count, o->cflags,
                            how_to_build(o)};
    int file = o->no_cache ? -1 : cache_find(&b, a);

    t->stem = stem_of(o->operands[0], a);
    if (file < 0)
        return build_anew(o, &b, a, t, e);
    LOG(CC, "%s has not changed since it was built", t->program);
    take_built(file, a, t);
    return folder_make(o->out, e);
}

bool target_open(const struct options *o, struct arena *a, struct target *t,
                 struct err *e)
{
    bool sources = false;

    memset(t, 0, sizeof(*t));
    if (!check_operands(o, &sources, e))
        return false;
    t->program = target_name(o, a);
    if (sources) {
        if (!build(o, a, t, e) || !program_read(t->binary, a, &t->tables, e)) {
            target_close(t);
            return false;
        }
        return true;
    }
    if (*o->cflags || o->as_optimised)
        return err_set(e, "--%s is for sources, %s is a program",
                       *o->cflags ? "cflags" : "as-optimised", t->program);
    if (!program_read(t->program, a, &t->tables, e))
        return false;
    if (access(t->program, X_OK) != 0)
        return err_set(e, "%s: %s", t->program, strerror(errno));

    char path[PATH_MAX];

    if (!realpath(t->program, path))
        return err_set(e, "%s: %s", t->program, strerror(errno));
    t->binary = arena_copy(a, path);
    return true;
}

bool target_place(const char *dir, const char *stem, const struct buf *bytes,
                  struct arena *a, const char **name, struct err *e)
{
    for (int i = 1; i <= KEPT_MAX; i++) {
        *name = i == 1 ? stem : arena_printf(a, "%s-%d", stem, i);

        const char *path = arena_printf(a, "%s/%s", dir, *name);

        if (file_has(path, bytes))
            return true;
        if (access(path, F_OK) != 0)
            return file_write(path, bytes->bytes, bytes->count, e);
    }
    return err_set(e, "%s: too many files named %s", dir, stem);
}

bool target_keep(const struct options *o, const struct target *t,
                 struct arena *a, const char **path, struct err *e)
{
    struct buf bytes = {0};
    bool ok = true;

    *path = t->binary;
    if (!t->built)
        return true;
    ok = buf_read_file(&bytes, t->binary, PROGRAM_MAX, e) &&
         target_place(o->out, t->stem, &bytes, a, path, e);
    buf_free(&bytes);
    if (ok && chmod(arena_printf(a, "%s/%s", o->out, *path), 0755) != 0)
        return err_set(e, "%s/%s: %s", o->out, *path, strerror(errno));
    return ok;
}

struct job target_job(const struct options *o, const struct target *t)
{
    struct job j = {.program = t->binary,
                    .name = t->program,
                    .arguments = o->arguments,
                    .depth = (uint32_t)o->depth,
                    .seed = o->seed,
                    .buffer = o->buffer,
                    .max_events = o->max_events};

    if (o->locks_paper)
        j.flags |= CHANNEL_LOCKS_PAPER;
    if (o->cas_bufferable)
        j.flags |= CHANNEL_CAS_BUFFERABLE;
    if (o->deps)
        j.flags |= CHANNEL_DEPS;
    if (o->no_spurious)
        j.flags |= CHANNEL_NO_SPURIOUS;
    if (o->by_process)
        j.flags |= CHANNEL_BY_PROCESS;
    return j;
}

void target_close(struct target *t)
{
    if (t->built)
        close(t->file);
    t->built = false;
}
