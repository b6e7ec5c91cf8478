/* SPDX-License-Identifier: MIT
 *
 * Writes programs as the C that parse.c reads and `fencer cc` compiles.
 */
#ifndef ORACLE_PRINT_H
#define ORACLE_PRINT_H

#include <stdio.h>

#include "program.h"

/* All programs of one file share variables and registers: those of list[0].
 * Which one runs is chosen by number in argv[1]. */
void print_batch(FILE *out, const struct program *list, size_t count);

/* One program, with LITMUS, for reading. */
void print_litmus(FILE *out, const struct program *p);

#endif
