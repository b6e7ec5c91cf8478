/* SPDX-License-Identifier: MIT
 *
 * The hooks that the runtime calls itself.
 */
#ifndef RUNTIME_RUNTIME_HOOKS_H
#define RUNTIME_RUNTIME_HOOKS_H

#include <stdint.h>

void __fencer_fence(uint32_t order, uint32_t site);
void __fencer_fence_bits(uint32_t bits, uint32_t site);

#endif
