/* SPDX-License-Identifier: MIT
 *
 * Prototypes of the hooks, made from the table in event/program.h's types.
 */
#ifndef RUNTIME_RUNTIME_HOOKS_H
#define RUNTIME_RUNTIME_HOOKS_H

#include <stdint.h>

#define HOOK_PROTOTYPES(bytes, type)                                           \
    type __fencer_load##bytes(const void *, uint32_t);                         \
    void __fencer_store##bytes(void *, type, uint32_t);                        \
    type __fencer_atomic_load##bytes(const void *, uint32_t, uint32_t);        \
    void __fencer_atomic_store##bytes(void *, type, uint32_t, uint32_t);       \
    type __fencer_rmw##bytes(void *, uint32_t, type, uint32_t, uint32_t);      \
    type __fencer_cas##bytes(void *, type, type, uint32_t, uint32_t, uint32_t);
HOOK_PROTOTYPES(1, uint8_t)
HOOK_PROTOTYPES(2, uint16_t)
HOOK_PROTOTYPES(4, uint32_t)
HOOK_PROTOTYPES(8, uint64_t)
#undef HOOK_PROTOTYPES

void __fencer_atomic_load16(const void *, void *, uint32_t, uint32_t);
void __fencer_atomic_store16(void *, const void *, uint32_t, uint32_t);
void __fencer_rmw16(void *, uint32_t, const void *, void *, uint32_t, uint32_t);
void __fencer_cas16(void *, const void *, const void *, void *, uint32_t,
                    uint32_t, uint32_t);
void __fencer_loadn(const void *, void *, uint64_t, uint32_t);
void __fencer_storen(void *, const void *, uint64_t, uint32_t);
void __fencer_copy(void *, const void *, uint64_t, uint32_t);
void __fencer_fill(void *, uint32_t, uint64_t, uint32_t);
void __fencer_fence(uint32_t, uint32_t);
void __fencer_fence_bits(uint32_t, uint32_t);
uint32_t __fencer_tick(uint32_t, uint32_t, uint32_t);
void __fencer_call(uint32_t, uint32_t);
void __fencer_called(uint32_t, uint32_t);
void __fencer_asm(uint32_t, uint32_t);
void __fencer_spin(uint32_t);
void __fencer_nondeterministic(uint32_t);
void __fencer_leave(void *, void *, uint32_t);

#endif
