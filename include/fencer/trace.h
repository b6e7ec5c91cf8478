/* SPDX-License-Identifier: MIT
 *
 * The layout of a Fencer trace on disk, version 1, for programs that read it.
 * fencer-trace(5) says it in words.  All numbers are little endian; every
 * struct here is as long as its fields, without padding.
 *
 *   struct fencer_trace_header
 *   payload, compressed with zstd as one frame:
 *     six sections in this order, each a struct fencer_trace_section and its
 *     bytes, filled up with zeroes to a multiple of 8:
 *     META STRS SITE OBJS THRD EVTS
 *
 * A string is an offset into STRS, where it ends with a NUL; 0 is "".
 */
#ifndef FENCER_TRACE_H
#define FENCER_TRACE_H

#include <stdint.h>

#define FENCER_TRACE_MAGIC "FNCTRACE" /* 8 bytes, no NUL */
#define FENCER_TRACE_VERSION 1

/* A payload is at most this long; a reader refuses more. */
#define FENCER_TRACE_PAYLOAD_MAX (1ull << 30)

struct fencer_trace_header {
    char magic[8];
    uint32_t version;
    uint32_t header_size;     /* sizeof(struct fencer_trace_header) */
    uint64_t payload_size;    /* before compression */
    uint64_t compressed_size; /* all that follows the header */
    uint64_t checksum;        /* FNV-1a, 64 bits, of the payload */
};

struct fencer_trace_section {
    char tag[4];
    uint32_t element_size; /* of one element; STRS: 1 */
    uint64_t count;        /* elements */
};

struct fencer_trace_meta {
    uint32_t program;  /* string: as the user named it */
    uint32_t model;    /* string: "tso" */
    uint32_t strategy; /* string: "random" */
    uint32_t flags;    /* enum channel_flag */
    uint64_t seed, run;
    uint64_t buffer;      /* entries of a store buffer, 0: no limit */
    uint64_t events_lost; /* events that did not fit */
    /* The failure; kind 0: the execution did not fail. */
    uint32_t failure_kind; /* enum failure_kind */
    uint32_t failure_thread, failure_site, failure_signal;
    int64_t failure_exit_code;
    uint32_t failure_message; /* string */
    uint32_t reserved;
};

struct fencer_trace_site {
    uint32_t file, dir, function, name; /* strings */
    uint32_t line, column;
    uint32_t kind; /* enum event_kind */
    uint32_t size;
};

struct fencer_trace_object {
    uint32_t kind;   /* enum object_kind */
    uint32_t number; /* heap: allocation number; stack, tls: thread */
    uint32_t site;   /* heap: where it was allocated */
    uint32_t thread;
    uint64_t address, size;
    uint32_t name;   /* string: "queue", "heap#3" */
    uint32_t fields; /* string: "0 head;8 tail;" or "" */
};

struct fencer_trace_thread {
    uint32_t parent; /* thread that created it; its own number: none known */
    uint32_t create; /* number + 1 of the CREATE event, 0: none known */
    uint32_t events; /* how many it has in this trace */
    uint32_t reserved;
};

struct fencer_trace_event {
    uint8_t kind; /* enum event_kind */
    uint8_t size; /* bytes accessed, 0 where there are none */
    uint16_t thread;
    uint32_t site;   /* index into SITE; 0: nowhere */
    uint32_t object; /* index into OBJS; 0: none */
    uint32_t flags;  /* enum event_flag */
    uint64_t offset; /* of the access in its object */
    uint64_t value;  /* loaded or stored; CREATE, JOIN: the other thread */
    uint64_t wrote;  /* RMW: what it left in memory */
    uint32_t index;  /* in its thread, from 0 */
    uint32_t from;   /* number + 1 of the store it read, or commits; 0: the
                        initial value */
    uint32_t co;     /* position in the object's coherence order, from 1 */
    uint32_t depth;  /* own stores still buffered after it; of an execution of
                        a processor: its place in the order of effects */
};

#endif
