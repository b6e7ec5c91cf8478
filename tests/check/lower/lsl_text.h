/* SPDX-License-Identifier: MIT
 *
 * The load-store language as text (lsl_text.c).
 */
#ifndef LSL_TEXT_H
#define LSL_TEXT_H

#include "lsl/lsl.h"

/* The whole program. */
void lsl_put_program(const struct lsl_program *p, struct buf *out);

#endif
