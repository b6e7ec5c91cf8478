/* SPDX-License-Identifier: MIT
 *
 * The arithmetic of read-modify-writes, for 1 to 16 bytes.  Integers are done
 * in 128 bits and cut to size; floating point by its own type.
 */
#include "graph/rmw.h"

#include <string.h>

static unsigned __int128 join(const uint64_t *w)
{
    return (unsigned __int128)w[1] << 64 | w[0];
}

static void split(unsigned __int128 v, unsigned size, uint64_t *w)
{
    if (size < 16)
        v &= ((unsigned __int128)1 << size * 8) - 1;
    w[0] = (uint64_t)v;
    w[1] = (uint64_t)(v >> 64);
}

static __int128 extended(const uint64_t *w, unsigned size)
{
    unsigned shift = 128 - size * 8;

    return (__int128)(join(w) << shift) >> shift;
}

static double float_op(enum rmw_op op, double a, double b)
{
    switch (op) {
    case RMW_FADD:
        return a + b;
    case RMW_FSUB:
        return a - b;
    case RMW_FMAX:
        return a > b ? a : b;
    default:
        return a < b ? a : b;
    }
}

static void apply_float(enum rmw_op op, unsigned size, uint64_t *memory,
                        const uint64_t *operand)
{
    float fa, fb;
    double da, db;

    if (size == 4) {
        memcpy(&fa, memory, 4);
        memcpy(&fb, operand, 4);
        fa = (float)float_op(op, fa, fb);
        memcpy(memory, &fa, 4);
    } else {
        memcpy(&da, memory, 8);
        memcpy(&db, operand, 8);
        da = float_op(op, da, db);
        memcpy(memory, &da, 8);
    }
}

static unsigned __int128 integer_op(enum rmw_op op, unsigned size,
                                    const uint64_t *memory,
                                    const uint64_t *operand)
{
    unsigned __int128 a = join(memory), b = join(operand);

    switch (op) {
    case RMW_ADD:
        return a + b;
    case RMW_SUB:
        return a - b;
    case RMW_AND:
        return a & b;
    case RMW_NAND:
        return ~(a & b);
    case RMW_OR:
        return a | b;
    case RMW_XOR:
        return a ^ b;
    case RMW_MAX:
        return extended(memory, size) > extended(operand, size) ? a : b;
    case RMW_MIN:
        return extended(memory, size) < extended(operand, size) ? a : b;
    case RMW_UMAX:
        return a > b ? a : b;
    case RMW_UMIN:
        return a < b ? a : b;
    case RMW_UINC:
        return a >= b ? 0 : a + 1;
    case RMW_UDEC:
        return a == 0 || a > b ? b : a - 1;
    default:
        return b;
    }
}

void rmw_apply(enum rmw_op op, unsigned size, uint64_t *memory,
               const uint64_t *operand)
{
    if (op >= RMW_FADD && op <= RMW_FMIN)
        apply_float(op, size, memory, operand);
    else
        split(integer_op(op, size, memory, operand), size, memory);
}
