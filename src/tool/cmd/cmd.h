/* SPDX-License-Identifier: MIT
 *
 * The commands.  Each gets its own name as argv[0] and its arguments behind
 * it, and returns the exit code of the tool (enum exit_code).
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

enum exit_code {
    EXIT_NOTHING_FOUND = 0, /* and all that was asked for was done */
    EXIT_FOUND = 1,
    EXIT_USAGE = 2,      /* wrong usage, or a file that cannot be read */
    EXIT_UNFINISHED = 3, /* could not finish, nothing found so far */
};

int cmd_cc(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_test(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_trace(int argc, char **argv);

#endif
