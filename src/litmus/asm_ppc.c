/* SPDX-License-Identifier: MIT
 *
 * POWER.  Comparisons go to one condition register.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "litmus/reader.h"
#include "model/axioms.h"

#define ROW(name, operands, kind, alu)                                         \
    {name, operands, INST_##kind, ALU_##alu, 0, 0, 0, 0}
#define FLAGS(name, operands, alu)                                             \
    {name, operands, INST_ALU, ALU_##alu, 0, ASM_SETS_FLAGS, 0, 0}
#define JUMP(name, alu)                                                        \
    {name, "l", INST_BRANCH, ALU_##alu, 0, ASM_ON_FLAGS, 0, 0}
#define ACCESS(name, operands, kind, size)                                     \
    {name, operands, INST_##kind, 0, size, 0, 0, 0}
#define FENCE(name, marks) {name, "", INST_FENCE, 0, 0, 0, marks, 0}

static const struct asm_row rows[] = {
    ROW("li", "di", ALU, OR),
    ROW("mr", "da", ALU, ADD),
    ROW("add", "dab", ALU, ADD),
    ROW("addi", "dai", ALU, ADD),
    ROW("neg", "db", ALU, SUB),
    ROW("not", "da~", ALU, XOR),
    ROW("mullw", "dab", ALU, MUL),
    ROW("sub", "dab", ALU, SUB),
    ROW("subi", "dai", ALU, SUB),
    ROW("slwi", "dai", ALU, SHL),
    ROW("sldi", "dai", ALU, SHL),
    ROW("srdi", "dai", ALU, SHR),
    {"extsw", "da", INST_ALU, ALU_ADD, 4, ASM_SIGNED, 0, 0},
    ROW("subf", "dba", ALU, SUB),
    ROW("and", "dab", ALU, AND),
    ROW("or", "dab", ALU, OR),
    ROW("ori", "dai", ALU, OR),
    ROW("xor", "dab", ALU, XOR),
    ROW("xori", "dai", ALU, XOR),
    FLAGS("andi.", "dai", AND),
    FLAGS("and.", "dab", AND),
    FLAGS("or.", "dab", OR),
    FLAGS("xor.", "dab", XOR),
    FLAGS("add.", "dab", ADD),
    FLAGS("subf.", "dba", SUB),
    FLAGS("cmpw", "ab", SUB),
    FLAGS("cmpd", "ab", SUB),
    FLAGS("cmpwi", "ai", SUB),
    FLAGS("cmpdi", "ai", SUB),
    ACCESS("lwz", "dm", LOAD, 4),
    ACCESS("ld", "dm", LOAD, 8),
    {"lwa", "dm", INST_LOAD, 0, 4, ASM_SIGNED, 0, 0},
    {"lwax", "dpq", INST_LOAD, 0, 4, ASM_SIGNED, 0, 0},
    ACCESS("lhz", "dm", LOAD, 2),
    ACCESS("lbz", "dm", LOAD, 1),
    {"lha", "dm", INST_LOAD, 0, 2, ASM_SIGNED, 0, 0},
    ACCESS("lwzx", "dpq", LOAD, 4),
    ACCESS("ldx", "dpq", LOAD, 8),
    ACCESS("stw", "am", STORE, 4),
    ACCESS("std", "am", STORE, 8),
    ACCESS("sth", "am", STORE, 2),
    ACCESS("stb", "am", STORE, 1),
    ACCESS("stwx", "apq", STORE, 4),
    ACCESS("stdx", "apq", STORE, 8),
    ACCESS("lwarx", "dpq", LX, 4),
    ACCESS("ldarx", "dpq", LX, 8),
    {"stwcx.", "apq", INST_SX, 0, 4, ASM_SETS_FLAGS, 0, 0},
    {"stdcx.", "apq", INST_SX, 0, 8, ASM_SETS_FLAGS, 0, 0},
    ROW("b", "l", JUMP, ALWAYS),
    JUMP("beq", EQ),
    JUMP("bne", NE),
    JUMP("blt", LT),
    JUMP("ble", LE),
    JUMP("bgt", GT),
    JUMP("bge", GE),
    FENCE("sync", MARK_FULL),
    FENCE("hwsync", MARK_FULL),
    FENCE("lwsync", FENCE_MARKS_LIGHT),
    FENCE("eieio", MARK_WW),
    FENCE("isync", MARK_ISB),
    ROW("nop", "", ALU, OR),
    {.name = NULL},
};

/* r0 as a base is no register but the number 0; nobody uses it otherwise. */
static const char *reg(const char *word, struct arena *a, uint8_t *size)
{
    *size = *size ? *size : 8;
    if (tolower((unsigned char)word[0]) != 'r' || !word[1] ||
        strspn(word + 1, "0123456789") != strlen(word + 1) || strlen(word) > 3)
        return NULL;
    return arena_printf(a, "r%s", word + 1);
}

static const char *const heads[] = {"PPC", NULL};

const struct asm_arch asm_ppc = {heads,
                                 rows,
                                 NULL,
                                 NULL,
                                 NULL,
                                 reg,
                                 .zero_extends = true,
                                 .narrow_names = false};
