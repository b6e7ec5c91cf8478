/* SPDX-License-Identifier: MIT
 *
 * What the page of a report is made of; the door is report/report.h.
 */
#ifndef REPORT_HTML_HTML_INSIDE_H
#define REPORT_HTML_HTML_INSIDE_H

#include "base/json.h"
#include "base/map.h"
#include "report/patch.h"
#include "report/report.h"
#include "report/steps.h"

/* Texts, each once and by its number; 0 is the empty one. */
struct html_strings {
    struct map numbers;
    json_t *list;
};

void html_strings_init(struct html_strings *s);
uint32_t html_string(struct html_strings *s, const char *text);

/* ---- Memory at every step (html_memory.c, html_what_if.c) ---- */

/* From that step on (the first is 1; 0: from the beginning) a cell holds that
 * text; 0: nobody knows. */
struct html_change {
    uint32_t step, text;
};

/* Memory as some access saw it: there is one of each place and size. */
struct html_cell {
    uint32_t object;
    uint64_t offset;
    uint8_t size;
    uint32_t slot;                   /* of its first byte */
    VEC(struct html_change) held;    /* by the machine's memory */
    VEC(struct html_change) held_sc; /* by SC's, after the same steps */
};

/* One byte of memory that the execution touches. */
struct html_slot {
    uint32_t object;
    uint64_t offset;
};

enum html_byte {
    BYTE_INITIAL, /* nobody has written it, and nobody has seen it */
    BYTE_HELD,
    BYTE_OPEN /* it depends on what a thread would do that saw another value */
};

/* All bytes at one moment. */
struct html_image {
    uint8_t *bytes;
    uint8_t *state; /* enum html_byte */
};

struct html_memory {
    const struct trace *trace;
    struct html_strings *strings;
    struct arena arena;
    VEC(struct html_slot) slots; /* sorted; bytes of a cell are neighbours */
    VEC(struct html_cell) cells; /* sorted by slot */
    struct html_image initial;
    uint32_t *until; /* by event: the step that takes it to memory; 0: none */
    bool *unseen;    /* by event: it read what nobody wrote whom Fencer sees */

    /* SC, after the same steps: the loads that see something else (text 0:
     * nobody knows what), and for each thread the first step that it might not
     * take at all; 0: takes all. */
    VEC(struct html_change) differs;
    uint32_t *strays;
};

/* `machine`: the trace is of a machine, with buffers and memory. */
void html_memory_init(struct html_memory *m, const struct trace *t,
                      struct html_strings *s, bool machine);
void html_memory_free(struct html_memory *m);

/* The cell of that access; UINT32_MAX: it has none. */
uint32_t html_cell_of(const struct html_memory *m, const struct event *ev);

/* An image of nothing but initial bytes. */
struct html_image html_image_new(struct html_memory *m);
/* Where the bytes of an access are in it. */
uint32_t html_slot_of(const struct html_memory *m, const struct event *ev);
/* Writes the bytes, or makes them open. */
void html_write(struct html_memory *m, struct html_image *to,
                const struct event *ev, uint64_t value, bool open);
/* Notes what each cell holds that this access touches. */
void html_note(struct html_memory *m, const struct html_image *now,
               const struct event *ev, uint32_t step, bool sc);
/* Its bytes in that image; false: not all of them are known. */
bool html_read(const struct html_memory *m, const struct html_image *from,
               const struct event *ev, uint64_t *value);
/* Only what the access has of a value. */
uint64_t html_value_of(const struct event *ev, uint64_t value);

/* Does it touch bytes that the event tells? */
bool html_is_access(const struct event *ev);

/* Fills `differs`, `strays` and `held_sc`. */
void html_what_if(struct html_memory *m);

/* ---- The rest ---- */

/* The page's data, and the part of it that is one finding's execution. */
struct html_files;
json_t *html_data(const struct report *r);
json_t *html_execution(const struct shown *f, struct html_files *files,
                       size_t room);
/* The number of that site's file in the page. */
uint32_t html_file(struct html_files *files, const struct fencer_site *site);
struct sources *html_sources(struct html_files *files);

/* The page as it is embedded (cmake/Embed.cmake): ends with a NUL. */
extern const char html_page[];

#endif
