/* SPDX-License-Identifier: MIT
 *
 * Bytes to a trace: include/fencer/trace.h has the layout, write.c the way
 * there.  The bytes may be anything; tests/fuzz feeds them.
 */
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/hash.h"
#include "fencer/trace.h"

#define FILE_MAX (FENCER_TRACE_PAYLOAD_MAX + (FENCER_TRACE_PAYLOAD_MAX >> 4))

struct payload {
    const char *bytes;
    size_t n, at;
    const char *strings;
    size_t string_bytes;
};

/* The next section, which must have that tag and element size. */
static const void *section(struct payload *p, const char *tag, size_t size,
                           size_t *count, struct err *e)
{
    struct fencer_trace_section s;

    if (p->n - p->at < sizeof(s)) {
        err_set(e, "section %s is missing", tag);
        return NULL;
    }
    memcpy(&s, p->bytes + p->at, sizeof(s));
    p->at += sizeof(s);
    if (memcmp(s.tag, tag, sizeof(s.tag)) != 0 || s.element_size != size) {
        err_set(e, "section %s is not where it must be", tag);
        return NULL;
    }
    if (s.count > (p->n - p->at) / size) {
        err_set(e, "section %s is cut off", tag);
        return NULL;
    }

    size_t bytes = size * s.count;
    size_t fill = (8 - bytes % 8) % 8;
    const char *start = p->bytes + p->at;

    if (p->n - p->at - bytes < fill ||
        memcmp(start + bytes, "\0\0\0\0\0\0\0", fill) != 0) {
        err_set(e, "section %s is not filled up", tag);
        return NULL;
    }
    p->at += bytes + fill;
    *count = s.count;
    return start;
}

/* The section ends with a NUL, so each string in it does. */
static bool take_string(const struct payload *p, uint32_t at, const char **text,
                        struct err *e)
{
    if (at >= p->string_bytes)
        return err_set(e, "no string at %u", at);
    *text = p->strings + at;
    return true;
}

static bool take_strings(struct payload *p, struct arena *a, struct err *e)
{
    size_t n;
    const char *text = section(p, "STRS", 1, &n, e);

    if (!text)
        return false;
    if (n == 0 || text[0] != '\0' || text[n - 1] != '\0')
        return err_set(e, "section STRS does not begin and end with a NUL");

    char *copy = arena_alloc(a, n);

    memcpy(copy, text, n);
    p->strings = copy;
    p->string_bytes = n;
    return true;
}

static bool take_meta(const struct payload *p,
                      const struct fencer_trace_meta *m, struct trace *t,
                      struct err *e)
{
    const char *message = "";

    if (!take_string(p, m->program, &t->program, e) ||
        !take_string(p, m->model, &t->model, e) ||
        !take_string(p, m->strategy, &t->strategy, e) ||
        !take_string(p, m->failure_message, &message, e))
        return err_in(e, "section META");
    if (strlen(message) >= sizeof(t->failure.message) || m->reserved)
        return err_set(e, "section META is damaged");
    t->flags = m->flags;
    t->seed = m->seed;
    t->run = m->run;
    t->buffer = m->buffer;
    t->events_lost = m->events_lost;
    t->failure = (struct channel_failure){
        .kind = m->failure_kind,
        .thread = m->failure_thread,
        .site = m->failure_site,
        .signal = m->failure_signal,
        .exit_code = m->failure_exit_code,
        .run = m->run,
    };
    strcpy(t->failure.message, message);
    return true;
}

static bool take_sites(struct payload *p, struct arena *a, struct trace *t,
                       struct err *e)
{
    struct fencer_trace_site s;
    const char *at = section(p, "SITE", sizeof(s), &t->site_count, e);

    if (!at)
        return false;
    t->sites = arena_array(a, t->site_count, sizeof(*t->sites));
    for (size_t i = 0; i < t->site_count; i++) {
        struct fencer_site *to = &t->sites[i];

        memcpy(&s, at + i * sizeof(s), sizeof(s));
        if (!take_string(p, s.file, &to->file, e) ||
            !take_string(p, s.dir, &to->dir, e) ||
            !take_string(p, s.function, &to->function, e) ||
            !take_string(p, s.name, &to->name, e))
            return err_in(e, "site %zu", i);
        to->line = s.line;
        to->column = s.column;
        to->kind = s.kind;
        to->size = s.size;
    }
    return true;
}

static bool take_objects(struct payload *p, struct arena *a, struct trace *t,
                         struct err *e)
{
    struct fencer_trace_object o;
    const char *at = section(p, "OBJS", sizeof(o), &t->object_count, e);

    if (!at)
        return false;
    t->objects = arena_array(a, t->object_count, sizeof(*t->objects));
    for (size_t i = 0; i < t->object_count; i++) {
        struct trace_object *to = &t->objects[i];

        memcpy(&o, at + i * sizeof(o), sizeof(o));
        *to = (struct trace_object){.kind = o.kind,
                                    .number = o.number,
                                    .site = o.site,
                                    .thread = o.thread,
                                    .address = o.address,
                                    .size = o.size};
        if (!take_string(p, o.name, &to->name, e) ||
            !take_string(p, o.fields, &to->fields, e))
            return err_in(e, "object %zu", i);
    }
    return true;
}

static bool take_threads(struct payload *p, struct arena *a, struct trace *t,
                         struct err *e)
{
    struct fencer_trace_thread th;
    const char *at = section(p, "THRD", sizeof(th), &t->thread_count, e);

    if (!at)
        return false;
    t->threads = arena_array(a, t->thread_count, sizeof(*t->threads));
    for (size_t i = 0; i < t->thread_count; i++) {
        memcpy(&th, at + i * sizeof(th), sizeof(th));
        if (th.reserved)
            return err_set(e, "thread %zu is damaged", i);
        t->threads[i] = (struct trace_thread){
            .parent = th.parent, .create = th.create, .events = th.events};
    }
    return true;
}

static bool take_events(struct payload *p, struct arena *a, struct trace *t,
                        struct err *e)
{
    const char *at = section(p, "EVTS", sizeof(*t->events), &t->event_count, e);

    if (!at)
        return false;
    t->events = arena_array(a, t->event_count, sizeof(*t->events));
    memcpy(t->events, at, t->event_count * sizeof(*t->events));
    return true;
}

static bool take_payload(struct payload *p, struct arena *a, struct trace *t,
                         struct err *e)
{
    struct fencer_trace_meta m;
    size_t count;
    const void *meta = section(p, "META", sizeof(m), &count, e);

    if (!meta)
        return false;
    if (count != 1)
        return err_set(e, "section META is damaged");
    memcpy(&m, meta, sizeof(m));
    if (!take_strings(p, a, e) || !take_meta(p, &m, t, e) ||
        !take_sites(p, a, t, e) || !take_objects(p, a, t, e) ||
        !take_threads(p, a, t, e) || !take_events(p, a, t, e))
        return false;
    if (p->at != p->n)
        return err_set(e, "something follows the last section");
    return trace_check(t, e);
}

static bool check_header(const struct fencer_trace_header *h, size_t n,
                         struct err *e)
{
    if (memcmp(h->magic, FENCER_TRACE_MAGIC, sizeof(h->magic)) != 0)
        return err_set(e, "is not a Fencer trace");
    if (h->version != FENCER_TRACE_VERSION)
        return err_set(e, "is a trace of version %u, this fencer reads %d",
                       h->version, FENCER_TRACE_VERSION);
    if (h->header_size != sizeof(*h))
        return err_set(e, "its header is damaged");
    if (h->payload_size > FENCER_TRACE_PAYLOAD_MAX)
        return err_set(e, "its payload is too large");
    if (h->compressed_size != n - sizeof(*h))
        return err_set(e, "is cut off or has something after its end");
    return true;
}

/* The frame must say its own size, so that memory is taken once and a header
 * cannot ask for more than the frame will fill. */
static char *unpack(const struct fencer_trace_header *h, const char *frame,
                    struct err *e)
{
    if (ZSTD_getFrameContentSize(frame, h->compressed_size) !=
        h->payload_size) {
        err_set(e, "its payload is damaged");
        return NULL;
    }

    char *bytes = malloc(h->payload_size + 1);

    CHECK(bytes != NULL);

    size_t n =
        ZSTD_decompress(bytes, h->payload_size, frame, h->compressed_size);

    if (ZSTD_isError(n) || n != h->payload_size ||
        hash_bytes(HASH_START, bytes, n) != h->checksum) {
        err_set(e, "its payload is damaged");
        free(bytes);
        return NULL;
    }
    return bytes;
}

bool trace_decode(const void *bytes, size_t n, struct arena *a, struct trace *t,
                  struct err *e)
{
    struct fencer_trace_header h;

    memset(t, 0, sizeof(*t));
    if (n < sizeof(h))
        return err_set(e, "is not a Fencer trace");
    memcpy(&h, bytes, sizeof(h));
    if (!check_header(&h, n, e))
        return false;

    char *payload = unpack(&h, (const char *)bytes + sizeof(h), e);

    if (!payload)
        return false;

    struct payload p = {.bytes = payload, .n = h.payload_size};
    bool ok = take_payload(&p, a, t, e);

    free(payload);
    return ok;
}

bool trace_read(const char *path, struct arena *a, struct trace *t,
                struct err *e)
{
    struct buf file = {0};
    bool ok = buf_read_file(&file, path, FILE_MAX, e);

    if (ok)
        ok = trace_decode(file.bytes, file.count, a, t, e) ||
             err_in(e, "%s", path);
    buf_free(&file);
    return ok;
}
