/* SPDX-License-Identifier: MIT
 *
 * RISC-V: RV32 and RV64 with the A extension.  aq and rl are on both events of
 * an AMO.  fence.i orders no access.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "litmus/reader.h"
#include "model/axioms.h"

#define AQRL (MARK_A | MARK_L)

#define ROW(name, operands, kind, alu)                                         \
    {name, operands, INST_##kind, ALU_##alu, 0, 0, 0, 0}
/* Arithmetic on the lower half, which keeps its sign. */
#define WORD(name, operands, alu)                                              \
    {name, operands, INST_ALU, ALU_##alu, 4, 0, 0, 0}
#define ACCESS(name, operands, kind, size)                                     \
    {name, operands, INST_##kind, 0, size, ASM_ORDERS, 0, 0}
#define AMO(name, alu)                                                         \
    {"amo" name ".w", "dam", INST_RMW, ALU_##alu, 4, ASM_ORDERS, 0, 0},        \
        {"amo" name ".d", "dam", INST_RMW, ALU_##alu, 8, ASM_ORDERS, 0, 0}
/* Zabha's, whose results keep their sign. */
#define NARROW(name, alu)                                                      \
    {"amo" name ".b",         "dam", INST_RMW, ALU_##alu, 1,                   \
     ASM_ORDERS | ASM_SIGNED, 0,     0},                                       \
        {"amo" name ".h",         "dam", INST_RMW, ALU_##alu, 2,               \
         ASM_ORDERS | ASM_SIGNED, 0,     0}
#define FENCE(name, marks) {name, "", INST_FENCE, 0, 0, 0, marks, 0}

static const struct asm_row rows[] = {
    ROW("li", "di", ALU, OR),
    ROW("mv", "da", ALU, ADD),
    ROW("ori", "dai", ALU, OR),
    ROW("addi", "dai", ALU, ADD),
    WORD("addiw", "dai", ADD),
    WORD("sext.w", "da", ADD),
    ROW("lui", "dh", ALU, OR),
    ROW("slli", "dai", ALU, SHL),
    ROW("srli", "dai", ALU, SHR),
    ROW("srai", "dai", ALU, SAR),
    WORD("sraiw", "dai", SAR),
    WORD("slliw", "dai", SHL),
    ROW("slti", "dai", ALU, LT),
    ROW("not", "da~", ALU, XOR),
    ROW("neg", "db", ALU, SUB),
    ROW("snez", "da", ALU, NE),
    ROW("seqz", "da", ALU, EQ),
    ROW("sltz", "da", ALU, LT),
    ROW("sgtz", "da", ALU, GT),
    ROW("mul", "dab", ALU, MUL),
    WORD("mulw", "dab", MUL),
    ROW("andi", "dai", ALU, AND),
    ROW("xori", "dai", ALU, XOR),
    ROW("add", "dab", ALU, ADD),
    WORD("addw", "dab", ADD),
    ROW("sub", "dab", ALU, SUB),
    WORD("subw", "dab", SUB),
    ROW("and", "dab", ALU, AND),
    ROW("or", "dab", ALU, OR),
    ROW("xor", "dab", ALU, XOR),
    ROW("slt", "dab", ALU, LT),
    ACCESS("lw", "dm", LOAD, 4),
    ACCESS("ld", "dm", LOAD, 8),
    ACCESS("lhu", "dm", LOAD, 2),
    ACCESS("lbu", "dm", LOAD, 1),
    {"lh", "dm", INST_LOAD, 0, 2, ASM_ORDERS | ASM_SIGNED, 0, 0},
    {"lb", "dm", INST_LOAD, 0, 1, ASM_ORDERS | ASM_SIGNED, 0, 0},
    {"lwu", "dm", INST_LOAD, 0, 4, ASM_ORDERS | ASM_UNSIGNED, 0, 0},
    ACCESS("sw", "am", STORE, 4),
    ACCESS("sd", "am", STORE, 8),
    ACCESS("sh", "am", STORE, 2),
    ACCESS("sb", "am", STORE, 1),
    ACCESS("lr.w", "dm", LX, 4),
    ACCESS("lr.d", "dm", LX, 8),
    ACCESS("sc.w", "dam", SX, 4),
    ACCESS("sc.d", "dam", SX, 8),
    AMO("swap", SWAP),
    AMO("add", ADD),
    AMO("or", OR),
    AMO("and", AND),
    AMO("xor", XOR),
    AMO("max", MAX),
    AMO("min", MIN),
    AMO("maxu", UMAX),
    AMO("minu", UMIN),
    NARROW("swap", SWAP),
    NARROW("add", ADD),
    NARROW("or", OR),
    NARROW("and", AND),
    NARROW("xor", XOR),
    ROW("bne", "abl", BRANCH, NE),
    ROW("beq", "abl", BRANCH, EQ),
    ROW("blt", "abl", BRANCH, LT),
    ROW("bge", "abl", BRANCH, GE),
    ROW("bgt", "abl", BRANCH, GT),
    ROW("ble", "abl", BRANCH, LE),
    ROW("bnez", "al", BRANCH, NE),
    ROW("beqz", "al", BRANCH, EQ),
    ROW("bltz", "al", BRANCH, LT),
    ROW("blez", "al", BRANCH, LE),
    ROW("bgtz", "al", BRANCH, GT),
    ROW("bgez", "al", BRANCH, GE),
    ROW("j", "l", JUMP, ALWAYS),
    ROW("fence", "v", FENCE, ALWAYS),
    FENCE("fence", MARK_RR | MARK_RW | MARK_WR | MARK_WW),
    FENCE("fence.tso", FENCE_MARKS_LIGHT),
    FENCE("fence.i", 0),
    ROW("nop", "", ALU, OR),
    {.name = NULL},
};

static const struct asm_suffix suffixes[] = {
    {".aq", MARK_A, MARK_A, 0}, {".rl", MARK_L, MARK_L, 0},
    {".aq.rl", AQRL, AQRL, 0},  {".aqrl", AQRL, AQRL, 0},
    {".rl.aq", AQRL, AQRL, 0},  {NULL, 0, 0, 0},
};

static const char *const abi[] = {
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

static int number_of(const char *word)
{
    for (int i = 0; i < 32; i++)
        if (strcasecmp(word, abi[i]) == 0)
            return i;
    if ((*word != 'x' && *word != 'X') || !word[1] ||
        strspn(word + 1, "0123456789") != strlen(word + 1) || strlen(word) > 3)
        return -1;
    return atoi(word + 1) < 32 ? atoi(word + 1) : -1;
}

static const char *reg(const char *word, struct arena *a, uint8_t *size)
{
    int number = number_of(word);

    *size = *size ? *size : 8;
    if (number < 0)
        return NULL;
    return number == 0 ? "" : arena_printf(a, "x%d", number);
}

static const char *const heads[] = {"RISCV", "RISC-V", NULL};

const struct asm_arch asm_riscv = {heads, rows, suffixes, NULL,
                                   NULL,  reg,  false,    false};
