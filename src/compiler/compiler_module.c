/* SPDX-License-Identifier: MIT
 *
 * All that the module fencer-llvm.so shows.
 */
#include "compiler/compiler.h"
#include "compiler/stamp.h"

extern const struct compiler fencer_compiler
    __attribute__((visibility("default")));

const struct compiler fencer_compiler = {.stamp = COMPILER_STAMP,
                                         .cc = instrument_cc,
                                         .build = instrument_build,
                                         .lower = lower_sources};
