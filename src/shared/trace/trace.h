/* SPDX-License-Identifier: MIT
 *
 * One execution, written down: the door of this folder.  A struct trace is
 * plain data; whoever has one may trust it, because it was checked where it
 * came from, a file or a program's channel.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "event/channel.h"
#include "event/event.h"
#include "event/program.h"

struct trace_object {
    uint32_t kind; /* enum object_kind */
    uint32_t number, site, thread;
    uint64_t address, size;
    const char *name;   /* "queue", "heap#3" */
    const char *fields; /* "0 head;8 tail;" or "" */
};

struct trace_thread {
    uint32_t parent; /* its own number: none known */
    uint32_t create; /* number + 1 of the CREATE event, 0: none known */
    uint32_t events;
};

struct trace {
    const char *program, *model, *strategy;
    uint32_t flags; /* enum channel_flag */
    uint64_t seed, run, buffer, events_lost;
    struct channel_failure failure;

    struct fencer_site *sites; /* [0] is nowhere; never empty */
    size_t site_count;
    struct trace_object *objects; /* [0] is none; never empty */
    size_t object_count;
    struct trace_thread *threads; /* [0] is main; never empty */
    size_t thread_count;
    struct event *events;
    size_t event_count;
};

/* The tables of a program that fencer cc linked, read from its file.  The
 * pointers inside are ours; addresses (globals) are the program's. */
struct program {
    uint64_t flags; /* enum program_flag */
    struct fencer_site *sites;
    size_t site_count;
    struct fencer_global *globals;
    size_t global_count;
    struct fencer_extern *externs;
    size_t extern_count;
    const char **limits;
    size_t limit_count;
    uint64_t file_size, file_hash;
};

/* An ELF file in memory, or on disk.  False: not one of ours, e says why. */
bool program_parse(const void *bytes, size_t n, struct arena *a,
                   struct program *p, struct err *e);
bool program_read(const char *path, struct arena *a, struct program *p,
                  struct err *e);

/* What an execution left in its channel, copied and checked.  `raw` is the
 * whole mapping.  False: the program damaged it.  Of the last execution that
 * came to an end, or of the one under way if none did; or of the n-th that the
 * executions region has. */
bool trace_from_channel(const void *raw, const struct program *p,
                        struct arena *a, struct trace *t, struct err *e);
bool trace_from_channel_nth(const void *raw, size_t n, const struct program *p,
                            struct arena *a, struct trace *t, struct err *e);

/* Nobody asks for the events of that one any more, nor for those of executions
 * before it: their memory is given back, by and by. */
void trace_forget_nth(void *raw, size_t n);

/* Do all numbers in it lead somewhere? */
bool trace_check(const struct trace *t, struct err *e);

/* The bytes of a trace file, and back.  Writing what was read gives the same
 * bytes. */
bool trace_encode(const struct trace *t, struct buf *out, struct err *e);
bool trace_decode(const void *bytes, size_t n, struct arena *a, struct trace *t,
                  struct err *e);
bool trace_write(const struct trace *t, const char *path, struct err *e);
bool trace_read(const char *path, struct arena *a, struct trace *t,
                struct err *e);

/* One line per event, and counts: see fencer-trace(5). */
void trace_dump(const struct trace *t, struct buf *out);
void trace_stats(const struct trace *t, struct buf *out);

/* "queue.tail", "heap#3+8", "buffer[16]"...: the memory an access is at. */
void trace_place(const struct trace *t, uint32_t object, uint64_t offset,
                 struct buf *out);

/* A value for people: a number, or the object it points to. */
void trace_value(const struct trace *t, uint64_t value, unsigned size,
                 struct buf *out);

/* "random", "pct", ...; NULL beyond the last. */
const char *strategy_words(unsigned strategy);

#endif
