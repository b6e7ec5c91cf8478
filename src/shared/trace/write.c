/* SPDX-License-Identifier: MIT
 *
 * A trace to bytes: include/fencer/trace.h has the layout, read.c the way
 * back.  The same trace always gives the same bytes.
 */
#include "trace/trace.h"

#include <string.h>
#include <zstd.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/map.h"
#include "fencer/trace.h"

#define LEVEL 3 /* of zstd: its default, fast and good enough */

/* Strings are stored once each, one after the other. */
struct strings {
    struct buf text;
    struct map offsets;
};

static void strings_init(struct strings *s)
{
    *s = (struct strings){0};
    buf_add(&s->text, "", 1); /* offset 0 is "" */
}

static uint32_t strings_add(struct strings *s, const char *text)
{
    if (*text == '\0')
        return 0;

    uint64_t *at = map_put_text(&s->offsets, text);

    if (!*at) {
        *at = s->text.count;
        CHECK(*at < UINT32_MAX / 2);
        buf_add(&s->text, text, strlen(text) + 1);
    }
    return (uint32_t)*at;
}

static void strings_fini(struct strings *s)
{
    buf_free(&s->text);
    map_free(&s->offsets);
}

static void put_section(struct buf *out, const char *tag, const void *bytes,
                        size_t size, size_t count)
{
    struct fencer_trace_section s = {.element_size = (uint32_t)size,
                                     .count = count};

    memcpy(s.tag, tag, sizeof(s.tag));
    buf_add(out, &s, sizeof(s));
    buf_add(out, bytes, size * count);
    buf_pad(out, '\0', (8 - size * count % 8) % 8);
}

static void put_meta(struct buf *out, const struct trace *t, struct strings *s)
{
    const struct channel_failure *f = &t->failure;
    struct fencer_trace_meta m = {
        .program = strings_add(s, t->program),
        .model = strings_add(s, t->model),
        .strategy = strings_add(s, t->strategy),
        .flags = t->flags,
        .seed = t->seed,
        .run = t->run,
        .buffer = t->buffer,
        .events_lost = t->events_lost,
        .failure_kind = f->kind,
        .failure_thread = f->thread,
        .failure_site = f->site,
        .failure_signal = f->signal,
        .failure_exit_code = f->exit_code,
        .failure_message = strings_add(s, f->message),
    };

    put_section(out, "META", &m, sizeof(m), 1);
}

static void put_sites(struct buf *out, const struct trace *t, struct strings *s,
                      struct arena *a)
{
    struct fencer_trace_site *sites =
        arena_array(a, t->site_count, sizeof(*sites));

    for (size_t i = 0; i < t->site_count; i++) {
        const struct fencer_site *from = &t->sites[i];

        sites[i] = (struct fencer_trace_site){
            .file = strings_add(s, from->file),
            .dir = strings_add(s, from->dir),
            .function = strings_add(s, from->function),
            .name = strings_add(s, from->name),
            .line = from->line,
            .column = from->column,
            .kind = from->kind,
            .size = from->size,
        };
    }
    put_section(out, "SITE", sites, sizeof(*sites), t->site_count);
}

static void put_objects(struct buf *out, const struct trace *t,
                        struct strings *s, struct arena *a)
{
    struct fencer_trace_object *objects =
        arena_array(a, t->object_count, sizeof(*objects));

    for (size_t i = 0; i < t->object_count; i++) {
        const struct trace_object *from = &t->objects[i];

        objects[i] = (struct fencer_trace_object){
            .kind = from->kind,
            .number = from->number,
            .site = from->site,
            .thread = from->thread,
            .address = from->address,
            .size = from->size,
            .name = strings_add(s, from->name),
            .fields = strings_add(s, from->fields),
        };
    }
    put_section(out, "OBJS", objects, sizeof(*objects), t->object_count);
}

static void put_threads(struct buf *out, const struct trace *t, struct arena *a)
{
    struct fencer_trace_thread *threads =
        arena_array(a, t->thread_count, sizeof(*threads));

    for (size_t i = 0; i < t->thread_count; i++) {
        const struct trace_thread *from = &t->threads[i];

        threads[i] = (struct fencer_trace_thread){.parent = from->parent,
                                                  .create = from->create,
                                                  .events = from->events};
    }
    put_section(out, "THRD", threads, sizeof(*threads), t->thread_count);
}

_Static_assert(sizeof(struct event) == sizeof(struct fencer_trace_event),
               "an event in memory is an event on disk");

/* META and the tables name strings, and STRS comes second: so the sections
 * after it are put together first. */
static void put_payload(const struct trace *t, struct buf *out)
{
    struct arena a = ARENA_INIT;
    struct strings s;
    struct buf tables = {0};

    strings_init(&s);
    put_meta(out, t, &s);
    put_sites(&tables, t, &s, &a);
    put_objects(&tables, t, &s, &a);
    put_threads(&tables, t, &a);
    put_section(out, "STRS", s.text.bytes, 1, s.text.count);
    buf_add(out, tables.bytes, tables.count);
    put_section(out, "EVTS", t->events, sizeof(*t->events), t->event_count);
    buf_free(&tables);
    strings_fini(&s);
    arena_free(&a);
}

static bool compress_to(const struct buf *payload, struct buf *out,
                        struct err *e)
{
    size_t bound = ZSTD_compressBound(payload->count);
    struct fencer_trace_header h = {
        .version = FENCER_TRACE_VERSION,
        .header_size = sizeof(h),
        .payload_size = payload->count,
        .checksum = hash_bytes(HASH_START, payload->bytes, payload->count),
    };
    struct buf frame = {0};

    buf_pad(&frame, '\0', bound);

    size_t n = ZSTD_compress(frame.bytes, bound, payload->bytes, payload->count,
                             LEVEL);
    bool ok = !ZSTD_isError(n);

    if (ok) {
        memcpy(h.magic, FENCER_TRACE_MAGIC, sizeof(h.magic));
        h.compressed_size = n;
        buf_add(out, &h, sizeof(h));
        buf_add(out, frame.bytes, n);
    } else {
        err_set(e, "cannot compress: %s", ZSTD_getErrorName(n));
    }
    buf_free(&frame);
    return ok;
}

bool trace_encode(const struct trace *t, struct buf *out, struct err *e)
{
    struct buf payload = {0};
    bool ok;

    put_payload(t, &payload);
    if (payload.count > FENCER_TRACE_PAYLOAD_MAX)
        ok = err_set(e, "the execution is too long for a trace");
    else
        ok = compress_to(&payload, out, e);
    buf_free(&payload);
    return ok;
}

bool trace_write(const struct trace *t, const char *path, struct err *e)
{
    struct buf bytes = {0};
    bool ok = trace_encode(t, &bytes, e) || err_in(e, "%s", path);

    ok = ok && file_write(path, bytes.bytes, bytes.count, e);
    if (ok)
        LOG(TRACE, "%s: %zu events, %zu bytes", path, t->event_count,
            bytes.count);
    buf_free(&bytes);
    return ok;
}
