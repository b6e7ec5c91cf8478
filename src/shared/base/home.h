/* SPDX-License-Identifier: MIT
 *
 * What lies beside the running tool: libfencer_rt.a, fencer-llvm.so, include/.
 */
#ifndef BASE_HOME_H
#define BASE_HOME_H

#include <limits.h>
#include <stdbool.h>

#include "base/err.h"

/* Where a file of that name would lie. */
bool home_path(const char *name, char path[PATH_MAX], struct err *e);

#endif
