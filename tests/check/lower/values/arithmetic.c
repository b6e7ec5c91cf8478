/* SPDX-License-Identifier: MIT
 *
 * Every operation at every width, at the edges of its range.
 */
#include <limits.h>
#include <stdint.h>

#include "see.h"

#define EACH(type, a, b)                                                       \
    do {                                                                       \
        volatile type x_ = (type)(a), y_ = (type)(b);                          \
        type x = x_, y = y_;                                                   \
                                                                               \
        SEE((type)((uint64_t)x + (uint64_t)y));                                \
        SEE((type)((uint64_t)x - (uint64_t)y));                                \
        SEE((type)((uint64_t)x * (uint64_t)y));                                \
        SEE(x &y);                                                             \
        SEE(x | y);                                                            \
        SEE(x ^ y);                                                            \
        SEE((type)~x);                                                         \
        SEE(x == y);                                                           \
        SEE(x != y);                                                           \
        SEE(x < y);                                                            \
        SEE(x <= y);                                                           \
        SEE(x > y);                                                            \
        SEE(x >= y);                                                           \
        SEE(x &&y);                                                            \
        SEE(x || y);                                                           \
        SEE(!x);                                                               \
        SEE((type)(x >> 3));                                                   \
        SEE((type)((uint64_t)x << 3));                                         \
        SEE((int8_t)x);                                                        \
        SEE((uint8_t)x);                                                       \
        SEE((int16_t)x);                                                       \
        SEE((uint32_t)x);                                                      \
        SEE((_Bool)x);                                                         \
        if (y && y != (type) - 1) {                                            \
            SEE(x / y);                                                        \
            SEE(x % y);                                                        \
        }                                                                      \
    } while (0)

#define PAIRS(type)                                                            \
    do {                                                                       \
        EACH(type, 0, 0);                                                      \
        EACH(type, 1, 2);                                                      \
        EACH(type, -1, 1);                                                     \
        EACH(type, -7, 3);                                                     \
        EACH(type, 7, -3);                                                     \
        EACH(type, INT64_MAX, INT64_MIN);                                      \
        EACH(type, INT64_MIN, 5);                                              \
        EACH(type, 0x123456789abcdefll, 0xfedcba98ll);                         \
        EACH(type, 100, 100);                                                  \
    } while (0)

SHOW
{
    PAIRS(int8_t);
    PAIRS(uint8_t);
    PAIRS(int16_t);
    PAIRS(uint16_t);
    PAIRS(int32_t);
    PAIRS(uint32_t);
    PAIRS(int64_t);
    PAIRS(uint64_t);
}
