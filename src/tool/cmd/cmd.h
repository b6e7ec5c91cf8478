/* SPDX-License-Identifier: MIT
 *
 * The commands, and how one is called: arguments are parsed, its work is done,
 * an error is printed, and the process ends with one of four codes.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "base/err.h"
#include "cmd/options.h"
#include "session/answer.h"

#define COMMANDS_MAX 32

struct command {
    const char *name;            /* NULL: the table ends */
    enum option_command options; /* 0: it parses its own arguments */
    /* Returns the exit code; what is to be said on stderr is in e. */
    int (*run)(struct options *o, struct err *e);
    int (*run_own)(int argc, char **argv);
    const char *operands;
    const char *words;
};

extern const struct command commands[];

/* Its name is argv[0], its arguments follow. */
int command_call(const struct command *c, int argc, char **argv);

int cmd_cc(int argc, char **argv);
int cmd_completion(int argc, char **argv);
int cmd_run(struct options *o, struct err *e);
int cmd_test(struct options *o, struct err *e);
int cmd_verify(struct options *o, struct err *e);
int cmd_check(struct options *o, struct err *e);
int cmd_replay(struct options *o, struct err *e);
int cmd_report(struct options *o, struct err *e);
int cmd_trace(struct options *o, struct err *e);
int cmd_litmus(struct options *o, struct err *e);
int cmd_suite(struct options *o, struct err *e);
int cmd_doctor(struct options *o, struct err *e);
int cmd_models(struct options *o, struct err *e);

#endif
