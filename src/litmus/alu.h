/* SPDX-License-Identifier: MIT
 *
 * Arithmetic on the values of a litmus test.
 */
#ifndef LITMUS_ALU_H
#define LITMUS_ALU_H

#include "litmus/program.h"

/* The value as an access of that size keeps it. */
int64_t alu_cut(int64_t v, uint8_t size);

/* The value as that type has it. */
int64_t alu_typed(int64_t v, struct number_type type);

/* a alu b; of a comparison 0 or 1. */
int64_t alu_compute(enum alu alu, int64_t a, int64_t b);

#endif
