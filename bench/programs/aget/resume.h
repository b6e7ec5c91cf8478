/* SPDX-License-Identifier: MIT
 *
 * The log from which an interrupted download goes on.
 */
#ifndef RESUME_H
#define RESUME_H

#include <stdbool.h>

void resume_save_log(void);

/* Sets the download up as the log has it; false if there is none. */
bool resume_read_log(void);

#endif
