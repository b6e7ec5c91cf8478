/* SPDX-License-Identifier: MIT
 *
 * x86: Intel's order of operands for X86, AT&T's for X86_64.  A locked
 * instruction is an RMW; xchg is always locked.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "litmus/reader.h"
#include "model/axioms.h"

#define ROW(name, operands, kind, alu, size)                                   \
    {name, operands, INST_##kind, ALU_##alu, size, 0, 0, 0}
#define FLAGS(name, operands, alu, size)                                       \
    {name, operands, INST_ALU, ALU_##alu, size, ASM_SETS_FLAGS, 0, 0}
#define JUMP(name, alu)                                                        \
    {name, "l", INST_BRANCH, ALU_##alu, 0, ASM_ON_FLAGS, 0, 0}
/* On memory; their results are not told. */
#define LOCKED(name, operands, alu, size)                                      \
    {name, operands, INST_RMW, ALU_##alu, size, ASM_LOCKED, 0, 0}
#define LOCKED_ONE(name, alu, size)                                            \
    {name, "m", INST_RMW, ALU_##alu, size, ASM_LOCKED | ASM_ONE, 0, 0}
#define LOCKED_CAS(name, operands, size)                                       \
    {name, operands, INST_CAS, ALU_EQ, size, ASM_LOCKED | ASM_ON_EAX, 0, 0}
#define REST                                                                   \
    {"mfence", "", INST_FENCE, 0, 0, 0, MARK_FULL, 0},                         \
        {"lfence", "", INST_FENCE, 0, 0, 0, MARK_RR, 0},                       \
        {"sfence", "", INST_FENCE, 0, 0, 0, MARK_WW, 0}, JUMP("je", EQ),       \
        JUMP("jne", NE), JUMP("jz", EQ), JUMP("jnz", NE), JUMP("jl", LT),      \
        JUMP("jge", GE), ROW("jmp", "l", JUMP, ALWAYS, 0),                     \
        ROW("nop", "", ALU, OR, 0),                                            \
    {                                                                          \
        .name = NULL                                                           \
    }

/* The destination comes first. */
static const struct asm_row rows[] = {
    ROW("mov", "mi", STORE, ALWAYS, 4), ROW("mov", "ma", STORE, ALWAYS, 4),
    ROW("mov", "dm", LOAD, ALWAYS, 4),  ROW("mov", "di", ALU, OR, 4),
    ROW("mov", "da", ALU, ADD, 4),      ROW("xchg", "mu", RMW, SWAP, 4),
    ROW("xchg", "um", RMW, SWAP, 4),    ROW("xadd", "mu", RMW, ADD, 4),
    ROW("add", "uo", ALU, ADD, 4),      ROW("sub", "uo", ALU, SUB, 4),
    ROW("and", "uo", ALU, AND, 4),      ROW("or", "uo", ALU, OR, 4),
    ROW("xor", "uo", ALU, XOR, 4),      LOCKED("add", "mi", ADD, 4),
    LOCKED("add", "ma", ADD, 4),        LOCKED("sub", "mi", SUB, 4),
    LOCKED("sub", "ma", SUB, 4),        LOCKED("and", "mi", AND, 4),
    LOCKED("and", "ma", AND, 4),        LOCKED("or", "mi", OR, 4),
    LOCKED("or", "ma", OR, 4),          LOCKED("xor", "mi", XOR, 4),
    LOCKED("xor", "ma", XOR, 4),        LOCKED_ONE("inc", ADD, 4),
    LOCKED_ONE("dec", SUB, 4),          LOCKED_CAS("cmpxchg", "ma", 4),
    FLAGS("cmp", "ao", SUB, 4),         REST,
};

/* Two widths of an instruction with AT&T's operands. */
#define WIDTHS(name, operands, kind, alu)                                      \
    ROW(name, operands, kind, alu, 4), ROW(name "l", operands, kind, alu, 4),  \
        ROW(name "q", operands, kind, alu, 8)

/* The same of what needs the prefix. */
#define LOCKED_WIDTHS(name, alu)                                               \
    LOCKED(name, "im", alu, 4), LOCKED(name "l", "im", alu, 4),                \
        LOCKED(name "q", "im", alu, 8), LOCKED(name, "am", alu, 4),            \
        LOCKED(name "l", "am", alu, 4), LOCKED(name "q", "am", alu, 8)

/* The destination comes last. */
static const struct asm_row rows_64[] = {
    WIDTHS("mov", "im", STORE, ALWAYS),  WIDTHS("mov", "am", STORE, ALWAYS),
    WIDTHS("mov", "md", LOAD, ALWAYS),   WIDTHS("mov", "id", ALU, OR),
    WIDTHS("mov", "ad", ALU, ADD),       ROW("movb", "im", STORE, ALWAYS, 1),
    ROW("movw", "im", STORE, ALWAYS, 2), WIDTHS("xchg", "um", RMW, SWAP),
    WIDTHS("xchg", "mu", RMW, SWAP),     WIDTHS("xadd", "um", RMW, ADD),
    WIDTHS("add", "iu", ALU, ADD),       WIDTHS("add", "bu", ALU, ADD),
    WIDTHS("sub", "iu", ALU, SUB),       WIDTHS("sub", "bu", ALU, SUB),
    WIDTHS("and", "iu", ALU, AND),       WIDTHS("and", "bu", ALU, AND),
    WIDTHS("or", "iu", ALU, OR),         WIDTHS("or", "bu", ALU, OR),
    WIDTHS("xor", "iu", ALU, XOR),       WIDTHS("xor", "bu", ALU, XOR),
    LOCKED_WIDTHS("add", ADD),           LOCKED_WIDTHS("sub", SUB),
    LOCKED_WIDTHS("and", AND),           LOCKED_WIDTHS("or", OR),
    LOCKED_WIDTHS("xor", XOR),           LOCKED_ONE("incl", ADD, 4),
    LOCKED_ONE("incq", ADD, 8),          LOCKED_ONE("decl", SUB, 4),
    LOCKED_ONE("decq", SUB, 8),          LOCKED_CAS("cmpxchg", "am", 4),
    LOCKED_CAS("cmpxchgl", "am", 4),     LOCKED_CAS("cmpxchgq", "am", 8),
    FLAGS("cmp", "oa", SUB, 4),          FLAGS("cmpl", "oa", SUB, 4),
    FLAGS("cmpq", "oa", SUB, 8),         REST,
};

/* ax, eax and rax are one register; so are r8d and r8. */
static const char *const legacy[] = {"ax", "bx", "cx", "dx",
                                     "si", "di", "bp", "sp"};

static const char *find_register(const char *word, const char *prefix,
                                 struct arena *a, uint8_t *size)
{
    size_t skip = strchr("eErR", word[0]) ? 1 : 0;

    for (size_t i = 0; *word && i < sizeof(legacy) / sizeof(legacy[0]); i++) {
        if (strcasecmp(word + skip, legacy[i]) != 0)
            continue;
        if (!*size)
            *size = tolower((unsigned char)*word) == 'r' ? 8 : 4;
        return arena_printf(a, "%s%s", prefix, legacy[i]);
    }
    return NULL;
}

static const char *reg(const char *word, struct arena *a, uint8_t *size)
{
    const char *name = find_register(word, "E", a, size);
    char *upper;

    if (!name)
        return NULL;
    upper = arena_copy(a, name);
    for (char *c = upper; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return upper;
}

static const char *reg_64(const char *word, struct arena *a, uint8_t *size)
{
    size_t digits = strspn(word + (*word != '\0'), "0123456789");

    if (tolower((unsigned char)*word) == 'r' && digits > 0 && digits < 3) {
        if (!*size)
            *size = word[1 + digits] ? 4 : 8;
        return arena_copy_n(a, word, 1 + digits);
    }
    return find_register(word, "r", a, size);
}

static const char *const heads[] = {"X86", NULL};
static const char *const heads_64[] = {"X86_64", NULL};

const struct asm_arch asm_x86 = {heads, rows, NULL,  NULL,
                                 NULL,  reg,  false, false};
const struct asm_arch asm_x86_64 = {heads_64,
                                    rows_64,
                                    NULL,
                                    NULL,
                                    NULL,
                                    reg_64,
                                    .zero_extends = true,
                                    .narrow_names = true};
