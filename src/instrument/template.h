/* SPDX-License-Identifier: MIT
 *
 * Inline assembly as text: its operands and its instructions (x86-64, AT&T).
 */
#ifndef INSTRUMENT_TEMPLATE_H
#define INSTRUMENT_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEMPLATE_OPERANDS 24
#define TEMPLATE_STEPS 12

/* Cells hold values while the assembly runs: the named registers first, then
 * one for each operand that the compiler may put anywhere. */
enum { CELL_AX, CELL_BX, CELL_CX, CELL_DX, CELL_SI, CELL_DI, CELL_REGISTERS };

/* One constraint. */
struct slot {
    bool output;
    bool indirect; /* memory, its address is an argument */
    char flag[8];  /* "z" for ={@ccz}; else empty */
    int cell;      /* -1: indirect */
    int argument;  /* index among the call's arguments, or -1 */
    int result;    /* index among the call's results, or -1 */
};

enum place_kind {
    PLACE_NONE,
    PLACE_NUMBER, /* number */
    PLACE_CELL,   /* cell */
    PLACE_MEMORY, /* number + the address in `slot` (indirect), or `cell` */
    PLACE_STACK   /* near the stack pointer */
};

struct place {
    enum place_kind kind;
    int64_t number;
    int cell;
    int slot;      /* operand it was written as, or -1 */
    unsigned size; /* bytes, if the text says so; else 0 */
};

struct step {
    char name[16]; /* mnemonic without its size */
    unsigned size; /* from the mnemonic's suffix, or 0 */
    bool lock;
    struct place a, b; /* source, target */
};

struct template
{
    struct slot slots[TEMPLATE_OPERANDS];
    int slot_count, cell_count;
    struct step steps[TEMPLATE_STEPS];
    int step_count;
};

/* False: something in it is not understood. */
bool template_parse(struct template *t, const char *text,
                    const char *constraints);

#endif
