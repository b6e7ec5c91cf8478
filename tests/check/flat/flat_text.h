/* SPDX-License-Identifier: MIT
 *
 * An unrolled test as text (flat_text.c).
 */
#ifndef FLAT_TEXT_H
#define FLAT_TEXT_H

#include "flat/flat.h"

void flat_put(const struct flat *f, struct buf *out);

#endif
