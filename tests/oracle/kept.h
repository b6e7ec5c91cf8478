/* SPDX-License-Identifier: MIT
 *
 * What each model keeps of program order.
 */
#ifndef ORACLE_KEPT_H
#define ORACLE_KEPT_H

#include "paths.h"

/* Sets `before` of the path: which of its steps come before which in <M. */
void kept_relate(struct path *p, enum model model);

#endif
