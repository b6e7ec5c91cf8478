/* SPDX-License-Identifier: MIT
 *
 * AArch64: its instructions, registers, barriers and conditions.  W and X name
 * one register; 32-bit values are kept with their sign.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "litmus/reader.h"
#include "model/axioms.h"

#define LD (MARK_RR | MARK_RW)

#define ROW(name, operands, kind, alu)                                         \
    {name, operands, INST_##kind, ALU_##alu, 0, 0, 0, 0}
#define FLAGS(name, operands, alu)                                             \
    {name, operands, INST_ALU, ALU_##alu, 0, ASM_SETS_FLAGS, 0, 0}
#define JUMP(name, alu)                                                        \
    {name, "l", INST_BRANCH, ALU_##alu, 0, ASM_ON_FLAGS, 0, 0}
#define ZERO(name, alu) {name, "al", INST_BRANCH, ALU_##alu, 0, 0, 0, 0}
/* A load or store, of three widths. */
#define ACCESS(name, operands, kind, read, write)                              \
    {name, operands, INST_##kind, 0, 0, 0, read, write},                       \
        {name "B", operands, INST_##kind, 0, 1, 0, read, write},               \
    {                                                                          \
        name "H", operands, INST_##kind, 0, 2, 0, read, write                  \
    }
/* An RMW with a result, and the one without. */
#define ATOMIC(name, alu)                                                      \
    {"LD" name, "adm", INST_RMW, ALU_##alu, 0, ASM_ORDERS, 0, 0},              \
        {"ST" name, "am", INST_RMW, ALU_##alu, 0, ASM_ORDERS | ASM_NO_RESULT,  \
         0,         0}

static const struct asm_row rows[] = {
    ROW("MOV", "do", ALU, OR),
    ROW("MOVZ", "dw", ALU, OR),
    ROW("MOVK", "dx", ALU, OR),
    ROW("MVN", "do^", ALU, OR),
    ROW("NEG", "do", ALU, SUB),
    ROW("LSL", "dai", ALU, SHL),
    ROW("LSR", "daZi", ALU, SHR),
    ROW("ASR", "dai", ALU, SAR),
    {"SXTW", "da", INST_ALU, ALU_ADD, 4, ASM_SIGNED, 0, 0},
    ROW("UXTW", "daz", ALU, ADD),
    ROW("ADD", "dao", ALU, ADD),
    ROW("SUB", "dao", ALU, SUB),
    ROW("AND", "dao", ALU, AND),
    ROW("ORR", "dao", ALU, OR),
    ROW("EOR", "dao", ALU, XOR),
    ROW("BIC", "dao", ALU, CLEAR),
    ROW("ORN", "dao^", ALU, OR),
    ROW("EON", "dao^", ALU, XOR),
    ROW("MUL", "dao", ALU, MUL),
    FLAGS("ADDS", "dao", ADD),
    FLAGS("SUBS", "dao", SUB),
    FLAGS("ANDS", "dao", AND),
    FLAGS("CMP", "ao", SUB),
    FLAGS("CMN", "ao", ADD),
    FLAGS("TST", "ao", AND),
    ROW("CSEL", "dabk", SELECT, EQ),
    ROW("CSINC", "dab+k", SELECT, EQ),
    ROW("CSINV", "dab^k", SELECT, EQ),
    ROW("CSNEG", "dab-k", SELECT, EQ),
    ROW("CSET", "d1k", SELECT, EQ),
    ROW("CSETM", "d2k", SELECT, EQ),
    ROW("CINC", "db>k", SELECT, EQ),
    ACCESS("LDR", "dm", LOAD, 0, 0),
    ACCESS("LDUR", "dm", LOAD, 0, 0),
    {"LDRSB", "dm", INST_LOAD, 0, 1, ASM_SIGNED, 0, 0},
    {"LDRSH", "dm", INST_LOAD, 0, 2, ASM_SIGNED, 0, 0},
    {"LDRSW", "dm", INST_LOAD, 0, 4, ASM_SIGNED, 0, 0},
    ACCESS("LDAR", "dm", LOAD, MARK_A, 0),
    ACCESS("LDAPUR", "dm", LOAD, MARK_Q, 0),
    ACCESS("LDAPR", "dm", LOAD, MARK_Q, 0),
    ACCESS("STR", "am", STORE, 0, 0),
    ACCESS("STUR", "am", STORE, 0, 0),
    ACCESS("STLR", "am", STORE, 0, MARK_L),
    ACCESS("STLUR", "am", STORE, 0, MARK_L),
    ACCESS("LDXR", "dm", LX, 0, 0),
    ACCESS("LDAXR", "dm", LX, MARK_A, 0),
    ACCESS("STXR", "dam", SX, 0, 0),
    ACCESS("STLXR", "dam", SX, 0, MARK_L),
    {"SWP", "adm", INST_RMW, ALU_SWAP, 0, ASM_ORDERS, 0, 0},
    {"CAS", "dam", INST_CAS, 0, 0, ASM_ORDERS, 0, 0},
    ATOMIC("ADD", ADD),
    ATOMIC("EOR", XOR),
    ATOMIC("SET", OR),
    ATOMIC("CLR", CLEAR),
    ATOMIC("SMAX", MAX),
    ATOMIC("SMIN", MIN),
    ATOMIC("UMAX", UMAX),
    ATOMIC("UMIN", UMIN),
    ROW("B", "l", JUMP, ALWAYS),
    JUMP("B.EQ", EQ),
    JUMP("B.NE", NE),
    JUMP("B.LT", LT),
    JUMP("B.LE", LE),
    JUMP("B.GT", GT),
    JUMP("B.GE", GE),
    JUMP("BEQ", EQ),
    JUMP("BNE", NE),
    JUMP("BLT", LT),
    JUMP("BLE", LE),
    JUMP("BGT", GT),
    JUMP("BGE", GE),
    {"TBZ", "atl", INST_BRANCH, ALU_EQ, 0, 0, 0, 0},
    {"TBNZ", "atl", INST_BRANCH, ALU_NE, 0, 0, 0, 0},
    ZERO("CBZ", EQ),
    ZERO("CBNZ", NE),
    ROW("DMB", "f", FENCE, ALWAYS),
    ROW("DSB", "g", FENCE, ALWAYS),
    {"ISB", "", INST_FENCE, 0, 0, 0, MARK_ISB, 0},
    ROW("NOP", "", ALU, OR),
    {.name = NULL},
};

static const struct asm_suffix suffixes[] = {
    {"A", MARK_A, 0, 0},        {"L", 0, MARK_L, 0},
    {"AL", MARK_A, MARK_L, 0},  {"B", 0, 0, 1},
    {"AB", MARK_A, 0, 1},       {"LB", 0, MARK_L, 1},
    {"ALB", MARK_A, MARK_L, 1}, {"H", 0, 0, 2},
    {"AH", MARK_A, 0, 2},       {"LH", 0, MARK_L, 2},
    {"ALH", MARK_A, MARK_L, 2}, {NULL, 0, 0, 0},
};

static const struct asm_word barriers[] = {
    {"SY", MARK_FULL},  {"ISH", MARK_FULL}, {"OSH", MARK_FULL},
    {"NSH", MARK_FULL}, {"LD", LD},         {"ISHLD", LD},
    {"OSHLD", LD},      {"NSHLD", LD},      {"ST", MARK_WW},
    {"ISHST", MARK_WW}, {"OSHST", MARK_WW}, {"NSHST", MARK_WW},
    {NULL, 0},
};

static const struct asm_word conditions[] = {
    {"EQ", ALU_EQ}, {"NE", ALU_NE}, {"LT", ALU_LT}, {"LE", ALU_LE},
    {"GT", ALU_GT}, {"GE", ALU_GE}, {NULL, 0},
};

static const char *reg(const char *word, struct arena *a, uint8_t *size)
{
    char first = (char)toupper((unsigned char)word[0]);
    uint8_t width = first == 'W' ? 4 : 8;

    if (first != 'W' && first != 'X')
        return NULL;
    if (strcasecmp(word + 1, "ZR") == 0) {
        *size = *size ? *size : width;
        return "";
    }
    if (!word[1] || strspn(word + 1, "0123456789") != strlen(word + 1) ||
        strlen(word) > 3)
        return NULL;
    *size = *size ? *size : width;
    return arena_printf(a, "X%s", word + 1);
}

static const char *const heads[] = {"AArch64", NULL};

const struct asm_arch asm_aarch64 = {heads,
                                     rows,
                                     suffixes,
                                     barriers,
                                     conditions,
                                     reg,
                                     .zero_extends = true,
                                     .narrow_names = true};
