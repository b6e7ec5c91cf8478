/* SPDX-License-Identifier: MIT
 *
 * The way of every command that works: open, work, tell, choose the exit code,
 * close.  run, test, verify, check and replay bring their own steps; what they
 * do alike is here.
 */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include "base/lines.h"
#include "cmd/cmd.h"
#include "cmd/target.h"
#include "report/report.h"
#include "session/store.h"
#include "worker/stop.h"

struct counts;

/* One call of a command.  First in the struct of each. */
struct call {
    struct options *options;
    struct arena arena; /* of all that lives until the end */
    struct target target;
    uint64_t until_ms;       /* 0: no time limit */
    struct store *store;     /* what survives a kill; NULL: nothing does */
    const struct stop *stop; /* the engine's, or NULL */
    bool interrupted;        /* the user did it, while at work */
    struct lines limits;
    struct report_await *awaits; /* NULL: nobody looked for any */
    size_t await_count;
    bool checked;         /* some execution came by a check */
    struct report report; /* told when the work is done, with `limits` */
    struct report_model models[OPTIONS_MODELS_MAX]; /* the report's */
};

struct call_steps {
    /* Looks at what was given.  Another code than EXIT_NOTHING_FOUND ends it;
     * e says why. */
    int (*open)(struct call *call, struct err *e);
    /* False: nothing can be told; e says why. */
    bool (*work)(struct call *call, struct err *e);
    /* Keeps what was found, and fills the report. */
    bool (*fill)(struct call *call, struct err *e);
    void (*close)(struct call *call); /* NULL: nothing of its own */
};

/* Returns the exit code. */
int command_work(struct call *call, struct options *o,
                 const struct call_steps *steps, struct err *e);

/* The target as a step: all that run and test have to open. */
int command_open_target(struct call *call, struct err *e);

/* What only the machines of the papers have (--bound, --locks paper, schedules
 * by --strategy, ...) asks for these, unless models are named. */
void command_choose_models(struct options *o);

/* The program cannot be had on that model, which is ours to choose: it is
 * named, and nobody looks at it any more.  Where neither ARM nor C11 is left of
 * the default, PSO and PSLO are added. */
void command_leave_out(struct call *call, const struct model *m,
                       const char *why);

/* Can the program be explored on the processors that are asked for?  One that
 * is ours to choose is left out, and named.  False: e says why not. */
bool command_has_dependencies(struct call *call, struct err *e);

/* Opens the store for a run that depends on the program, the options that
 * commands share, and what `fmt` adds.  `layout`: see session/store.h. */
bool command_open_store(struct call *call, const char *name, uint32_t layout,
                        struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* The counts of executions say whether one came by a check. */
void command_note_checks(struct call *call, const struct counts *n);
/* Loops that waited in these executions: the report names them. */
void command_add_awaits(struct call *call, const struct counts *n);

/* The next model of the report. */
struct report_model *command_add_model(struct call *call,
                                       const struct model *m);

#endif
