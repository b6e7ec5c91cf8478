/* SPDX-License-Identifier: MIT
 *
 * Arithmetic on the values of a litmus test.
 */
#include "litmus/alu.h"

/* Addresses are not numbers: nobody cuts them. */
static bool is_address(int64_t v)
{
    return v >= ADDRESS_OF(0) && v < ADDRESS_OF(4096);
}

int64_t alu_typed(int64_t v, struct number_type type)
{
    unsigned bits = 64 - 8u * type.width;

    if (type.width == 0 || bits == 0 || is_address(v))
        return v;
    return type.is_unsigned ? (int64_t)((uint64_t)v << bits >> bits)
                            : (int64_t)((uint64_t)v << bits) >> bits;
}

/* Numbers are cut to the size of an access. */
int64_t alu_cut(int64_t v, uint8_t size)
{
    if (is_address(v))
        return v;
    switch (size) {
    case 1:
        return (uint8_t)v;
    case 2:
        return (uint16_t)v;
    case 4:
        return (int32_t)v;
    default:
        return v;
    }
}

static int64_t wrapped(uint64_t v)
{
    return (int64_t)v;
}

int64_t alu_compute(enum alu alu, int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;

    switch (alu) {
    case ALU_ADD:
        return wrapped(x + y);
    case ALU_SUB:
        return wrapped(x - y);
    case ALU_AND:
        return wrapped(x & y);
    case ALU_OR:
        return wrapped(x | y);
    case ALU_XOR:
        return wrapped(x ^ y);
    case ALU_CLEAR:
        return wrapped(x & ~y);
    case ALU_MUL:
        return wrapped(x * y);
    case ALU_SHL:
        return wrapped(x << (y & 63));
    case ALU_SHR:
        return wrapped(x >> (y & 63));
    case ALU_SAR:
        return a >> (y & 63);
    case ALU_MAX:
        return a > b ? a : b;
    case ALU_MIN:
        return a < b ? a : b;
    case ALU_UMAX:
        return x > y ? a : b;
    case ALU_UMIN:
        return x < y ? a : b;
    case ALU_SWAP:
        return b;
    case ALU_EQ:
        return a == b;
    case ALU_NE:
        return a != b;
    case ALU_LT:
        return a < b;
    case ALU_LE:
        return a <= b;
    case ALU_GT:
        return a > b;
    case ALU_GE:
        return a >= b;
    case ALU_ALWAYS:
        break;
    }
    return 1;
}
