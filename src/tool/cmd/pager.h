/* SPDX-License-Identifier: MIT
 *
 * Long text on a terminal, page by page.
 */
#ifndef CMD_PAGER_H
#define CMD_PAGER_H

#include "base/buf.h"

/* The program that PAGER names, or less; NULL: stdout is no terminal, or nobody
 * wants one. */
const char *pager_command(void);

/* False: it could not be started, and nothing was shown. */
bool pager_show(const char *command, const struct buf *text);

#endif
