/* SPDX-License-Identifier: MIT
 *
 * What the tested program reads on stdin: the same in every process.
 */
#ifndef WORKER_INPUT_H
#define WORKER_INPUT_H

#include <stdbool.h>

#include "base/err.h"

/* Before the first process is started: what a pipe holds, which can be read
 * only once, is kept.  A pipe into which nobody has written yet is left alone,
 * for it may never end.  Does nothing when called again. */
bool input_keep(struct err *e);

/* In a child: stdin is at its beginning. */
void input_give(void);

#endif
