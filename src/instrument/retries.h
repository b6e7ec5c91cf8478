/* SPDX-License-Identifier: MIT
 *
 * Loops around a CAS that is tried again with what it found: see retries.c.
 */
#ifndef INSTRUMENT_RETRIES_H
#define INSTRUMENT_RETRIES_H

#include "instrument/flow.h"
#include "instrument/pass.h"

/* The phi of that header which is what a CAS expects, as its bit; or 0. */
uint64_t retries_expected(const struct flow *f, const bool *in,
                          uint32_t header);

#endif
