/* SPDX-License-Identifier: MIT
 *
 * finding-1.json, finding-2.json, ... with their traces beside them.
 */
#include "cmd/keep.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/point.h"
#include "finding/gate.h"

#define NUMBER_MAX 100000

/* The first free number, or that of the same finding kept before. */
static bool place(const struct options *o, struct shown *s, struct buf *bytes,
                  struct arena *a, const char **path, struct err *e)
{
    for (int i = 1; i < NUMBER_MAX; i++) {
        *path = arena_printf(a, "%s/finding-%d.json", o->out, i);
        s->finding.trace = arena_printf(a, "finding-%d.trace", i);
        buf_clear(bytes);
        shown_encode(s, bytes);
        if (access(*path, F_OK) != 0 || file_has(*path, bytes))
            return true;
    }
    return err_set(e, "%s: too many findings", o->out);
}

/* The trace first: a finding is there only when all of it is. */
static bool write_shown(struct shown *s, const char *path,
                        const struct buf *bytes, struct arena *a, struct err *e)
{
    bool ok =
        trace_write(&s->trace, finding_beside(path, s->finding.trace, a), e) &&
        file_write(path, bytes->bytes, bytes->count, e);

    if (ok)
        s->replay = gate_command(path, s, a);
    return ok;
}

static bool keep_program(const struct options *o, const struct target *t,
                         struct shown *s, struct arena *a, struct err *e)
{
    struct finding *f = &s->finding;

    return folder_make(o->out, e) &&
           (!*f->binary || target_keep(o, t, a, &f->binary, e));
}

bool keep_shown(const struct options *o, const struct target *t,
                struct shown *s, struct arena *a, struct err *e)
{
    struct buf bytes = {0};
    const char *path;
    bool ok = keep_program(o, t, s, a, e) && place(o, s, &bytes, a, &path, e) &&
              write_shown(s, path, &bytes, a, e);

    buf_free(&bytes);
    point_reached("keep.finding");
    return ok;
}

bool keep_found(const struct options *o, const struct target *t,
                struct shown *s, int number, struct arena *a, struct err *e)
{
    struct buf bytes = {0};
    const char *path = arena_printf(a, "%s/found-%d.json", o->out, number);
    bool ok = keep_program(o, t, s, a, e);

    s->finding.trace = arena_printf(a, "found-%d.trace", number);
    shown_encode(s, &bytes);
    ok = ok && write_shown(s, path, &bytes, a, e);
    buf_free(&bytes);
    point_reached("keep.found");
    return ok;
}

void drop_found(const struct options *o, struct arena *a)
{
    for (int i = 1; i < NUMBER_MAX; i++) {
        bool none = unlink(arena_printf(a, "%s/found-%d.json", o->out, i)) != 0;

        none &= unlink(arena_printf(a, "%s/found-%d.trace", o->out, i)) != 0;
        if (none)
            return;
    }
}

bool keep_can_write(const char *path, struct arena *a, struct err *e)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *folder = ".";
    struct stat st;

    if (!path || strcmp(path, "-") == 0)
        return true;
    if (slash)
        folder = arena_copy_n(a, path, (size_t)(slash - path) + 1);
    if (access(folder, W_OK | X_OK) != 0)
        return err_set(e, "%s: %s", path, strerror(errno));
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return err_set(e, "%s: is a folder", path);
    return true;
}
