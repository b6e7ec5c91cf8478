/* SPDX-License-Identifier: MIT
 *
 * The mark of a program that fencer cc linked: section .fencer holds one.
 */
#ifndef INSTRUMENT_MARKER_H
#define INSTRUMENT_MARKER_H

#include <stdint.h>

#include "event/program.h"

#define MARKER_SECTION ".fencer"

struct marker {
    char magic[8];
    uint64_t abi;
};

#define MARKER_INIT {{'F', 'E', 'N', 'C', 'E', 'R', 'P', 'G'}, FENCER_ABI}

#endif
