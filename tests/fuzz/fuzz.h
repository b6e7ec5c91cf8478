/* SPDX-License-Identifier: MIT
 *
 * What every fuzz target promises; libFuzzer calls it, or driver.c does.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

#endif
