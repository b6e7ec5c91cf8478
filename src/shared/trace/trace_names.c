/* SPDX-License-Identifier: MIT
 *
 * Names for memory and values: by object and offset, never by address, so that
 * they read well and are the same in every run.
 */
#include "trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const strategies[] = {
    "random",  "pct",     "pos",      "rr",      "every",
    "descent", "forward", "depth",    "mixed",   "replay",
    "relaxer", "orion",   "directed", "explore", "witness"};

const char *strategy_words(unsigned strategy)
{
    return strategy < sizeof(strategies) / sizeof(strategies[0])
               ? strategies[strategy]
               : NULL;
}

/* What the C library calls the insides of its types means nothing to the
 * user: "lock.__align" is "lock". */
static int without_insides(const char *name, int length)
{
    for (int i = 0; i + 1 < length; i++) {
        if (name[i] == '_' && name[i + 1] == '_' &&
            (i == 0 || name[i - 1] == '.'))
            return i > 0 ? i - 1 : 0;
    }
    return length;
}

/* The last member that starts at or before `offset`, from "0 head;8 tail;".
 * Sets where it starts; NULL if there is none. */
static const char *field_at(const char *fields, uint64_t offset,
                            uint64_t *start, int *length)
{
    const char *found = NULL;

    while (*fields >= '0' && *fields <= '9') {
        char *name;
        uint64_t at = strtoull(fields, &name, 10);
        const char *end = strchr(name, ';');

        if (*name != ' ' || !end)
            break;
        if (at <= offset && end - name - 1 < 256) {
            found = name + 1;
            *start = at;
            *length = without_insides(found, (int)(end - name - 1));
        }
        fields = end + 1;
    }
    return found;
}

void trace_place(const struct trace *t, uint32_t object, uint64_t offset,
                 struct buf *out)
{
    CHECK(object < t->object_count);

    const struct trace_object *o = &t->objects[object];
    uint64_t start = 0;
    int length = 0;
    const char *field = field_at(o->fields, offset, &start, &length);

    buf_puts(out, *o->name ? o->name : "memory");
    if (field && length)
        buf_printf(out, ".%.*s", length, field);
    if (offset > start)
        buf_printf(out, "+%" PRIu64, offset - start);
}

/* Only values of a pointer's size, and too large to be a likely number. */
static bool points_into(const struct trace *t, uint64_t value, uint32_t *object)
{
    if (value < 4096)
        return false;
    for (size_t i = 1; i < t->object_count; i++) {
        const struct trace_object *o = &t->objects[i];

        if (value >= o->address && value - o->address < o->size) {
            *object = (uint32_t)i;
            return true;
        }
    }
    return false;
}

void trace_value(const struct trace *t, uint64_t value, unsigned size,
                 struct buf *out)
{
    uint32_t object;
    unsigned unused = size >= 1 && size < 8 ? 64 - 8 * size : 0;
    int64_t number = (int64_t)(value << unused) >> unused;

    if (size == 8 && points_into(t, value, &object)) {
        buf_putc(out, '&');
        trace_place(t, object, value - t->objects[object].address, out);
    } else if (number > -100000000 && number < (int64_t)1 << 32) {
        buf_printf(out, "%" PRId64, number);
    } else {
        buf_printf(out, "0x%" PRIx64, value);
    }
}
