/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a trace.  What is accepted must survive being written again,
 * dumped and reported.  The payload's checksum would stop nearly all changed
 * inputs at the door, so inputs without the magic are taken as a payload and
 * wrapped here.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/hash.h"
#include "fencer/trace.h"
#include "fuzz.h"
#include "report/report.h"
#include "trace/trace.h"

static void use(const struct trace *t)
{
    struct report_style style = {.width = 80, .full = true};
    struct shown f = {.class = CLASS_HARMFUL,
                      .finding = {.model = &model_tso, .output = ""},
                      .trace = *t};
    struct buf out = {0};
    struct err e;

    CHECK(trace_encode(t, &out, &e));
    buf_clear(&out);
    trace_dump(t, &out);
    trace_stats(t, &out);
    if (t->thread_count < 1000) {
        report_finding(&f, &style, &out);
        style.full = false;
        report_finding(&f, &style, &out);
    }
    buf_free(&out);
}

static void decode(const void *bytes, size_t n)
{
    struct arena a = ARENA_INIT;
    struct trace t;
    struct err e;

    if (trace_decode(bytes, n, &a, &t, &e))
        use(&t);
    arena_free(&a);
}

static void decode_payload(const uint8_t *bytes, size_t n)
{
    struct fencer_trace_header h = {.version = FENCER_TRACE_VERSION,
                                    .header_size = sizeof(h),
                                    .payload_size = n,
                                    .checksum =
                                        hash_bytes(HASH_START, bytes, n)};
    size_t bound = ZSTD_compressBound(n);
    char *file = malloc(sizeof(h) + bound);

    CHECK(file != NULL);
    memcpy(h.magic, FENCER_TRACE_MAGIC, sizeof(h.magic));
    h.compressed_size = ZSTD_compress(file + sizeof(h), bound, bytes, n, 1);
    CHECK(!ZSTD_isError(h.compressed_size));
    memcpy(file, &h, sizeof(h));
    decode(file, sizeof(h) + h.compressed_size);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (n >= 8 && memcmp(bytes, FENCER_TRACE_MAGIC, 8) == 0)
        decode(bytes, n);
    else
        decode_payload(bytes, n);
    return 0;
}
