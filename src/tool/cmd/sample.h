/* SPDX-License-Identifier: MIT
 *
 * Many executions of a program on one model, spread over worker processes.
 * The result depends on the options and the seed, not on the number of workers
 * or on their speed, as long as no time limit ends it.
 */
#ifndef CMD_SAMPLE_H
#define CMD_SAMPLE_H

#include "base/arena.h"
#include "base/tally.h"
#include "cmd/options.h"
#include "worker/counts.h"

/* Why sampling ended. */
enum sample_end {
    SAMPLE_DONE,       /* all executions asked for, or a failure */
    SAMPLE_STOPPED,    /* by the time limit or the user: `why` */
    SAMPLE_BAD,        /* the program cannot be run: `why` */
    SAMPLE_UNSUPPORTED /* the program does what we cannot run: `first` */
};

struct sample {
    enum sample_end end;
    uint64_t asked; /* executions */
    struct counts counts;
    struct tally outcomes;              /* sorted */
    struct channel_failure first, last; /* kind 0: none failed */
    const char *why;
    const char *refused; /* the program has something that no graph has */
};

/* `base` has all of the job but its range.  False: e says what is wrong with
 * the machine, not with the program. */
bool sample_run(const struct job *base, uint64_t runs, unsigned jobs,
                bool keep_going, uint64_t until_ms, struct arena *a,
                struct sample *s, struct err *e);

#endif
