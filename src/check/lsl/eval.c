/* SPDX-License-Identifier: MIT
 *
 * Arithmetic on values: the one place that knows it.  Integers are as C and
 * LLVM have them at their width.  Of a pointer only its object, its offset and
 * the four low bits of its address are known, since objects lie at multiples
 * of 16; what would need more has no meaning (LSL_ON_POINTER).
 */
#include "lsl/lsl.h"

#include <inttypes.h>

/* Below this, bits of an address are bits of its offset. */
#define LOW_BITS 16

static const struct {
    unsigned operands;
    const char *word;
} ops[] = {
#define OP(name, operands, word) {operands, word},
    LSL_PURE(OP)
#undef OP
};

unsigned lsl_pure_operands(enum lsl_pure op)
{
    CHECK(op < PURE_COUNT);
    return ops[op].operands;
}

const char *lsl_pure_word(enum lsl_pure op)
{
    return op < PURE_COUNT ? ops[op].word : "?";
}

bool lsl_equal(struct lsl_value a, struct lsl_value b)
{
    return a.kind == b.kind && a.base == b.base && a.bits == b.bits;
}

void lsl_put_site(const struct lsl_program *p, uint32_t site, struct buf *out)
{
    const struct fencer_site *s = &p->sites[site < p->site_count ? site : 0];

    if (*s->file)
        buf_printf(out, "%s:%u", s->file, s->line);
    else
        buf_puts(out, "?");
}

void lsl_put_value(struct lsl_value v, struct buf *out)
{
    int64_t offset = (int64_t)v.bits;

    if (v.kind == LSL_UNDEFINED)
        buf_putc(out, '?');
    else if (v.kind == LSL_INTEGER)
        buf_printf(out, "%" PRIu64, v.bits);
    else if (offset)
        buf_printf(out, "#%" PRIu32 "%+" PRId64, v.base, offset);
    else
        buf_printf(out, "#%" PRIu32, v.base);
}

static uint64_t cut(uint64_t bits, unsigned width)
{
    return width < 64 ? bits & ((1ull << width) - 1) : bits;
}

static int64_t as_signed(uint64_t bits, unsigned width)
{
    uint64_t sign;

    CHECK(width >= 1 && width <= 64);
    sign = 1ull << (width - 1);
    return (int64_t)((cut(bits, width) ^ sign) - sign);
}

static enum lsl_fault integer(uint64_t bits, unsigned width,
                              struct lsl_value *out)
{
    *out = LSL_INT(cut(bits, width));
    return LSL_FINE;
}

static enum lsl_fault pointer(uint32_t base, uint64_t offset,
                              struct lsl_value *out)
{
    *out = (struct lsl_value){LSL_POINTER, base, offset};
    return LSL_FINE;
}

static bool is_comparison(enum lsl_pure op)
{
    return op >= PURE_EQ && op <= PURE_SLE;
}

/* Negative, zero or positive as a is below, at or above b. */
static bool compare(enum lsl_pure op, int unsigned_order, int signed_order)
{
    switch (op) {
    case PURE_EQ:
        return unsigned_order == 0;
    case PURE_NE:
        return unsigned_order != 0;
    case PURE_ULT:
        return unsigned_order < 0;
    case PURE_ULE:
        return unsigned_order <= 0;
    case PURE_SLT:
        return signed_order < 0;
    default:
        return signed_order <= 0;
    }
}

/* ---- Integers ---- */

static enum lsl_fault divide(enum lsl_pure op, unsigned width, uint64_t a,
                             uint64_t b, struct lsl_value *out)
{
    int64_t x = as_signed(a, width), y = as_signed(b, width);

    if (op == PURE_UDIV)
        return integer(a / b, width, out);
    if (op == PURE_UREM)
        return integer(a % b, width, out);
    /* The smallest number has no opposite: here the processor traps. */
    if (y == -1 && a == 1ull << (width - 1))
        return LSL_BY_ZERO;
    if (op == PURE_SDIV)
        return integer((uint64_t)(x / y), width, out);
    return integer((uint64_t)(x % y), width, out);
}

static enum lsl_fault shift(enum lsl_pure op, unsigned width, uint64_t a,
                            uint64_t b, struct lsl_value *out)
{
    if (b >= width)
        return LSL_FINE; /* undefined, as *out is */
    if (op == PURE_SHL)
        return integer(a << b, width, out);
    if (op == PURE_LSHR)
        return integer(a >> b, width, out);
    return integer((uint64_t)(as_signed(a, width) >> b), width, out);
}

static enum lsl_fault on_integers(enum lsl_pure op, unsigned width,
                                  unsigned in_width, uint64_t a, uint64_t b,
                                  struct lsl_value *out)
{
    switch (op) {
    case PURE_ADD:
        return integer(a + b, width, out);
    case PURE_SUB:
        return integer(a - b, width, out);
    case PURE_MUL:
        return integer(a * b, width, out);
    case PURE_UDIV:
    case PURE_SDIV:
    case PURE_UREM:
    case PURE_SREM:
        return divide(op, width, a, b, out);
    case PURE_AND:
        return integer(a & b, width, out);
    case PURE_OR:
        return integer(a | b, width, out);
    case PURE_XOR:
        return integer(a ^ b, width, out);
    case PURE_SHL:
    case PURE_LSHR:
    case PURE_ASHR:
        return shift(op, width, a, b, out);
    case PURE_TRUNC:
    case PURE_ZEXT:
        return integer(a, width, out);
    case PURE_SEXT:
        return integer((uint64_t)as_signed(a, in_width), width, out);
    default:
        break;
    }
    int64_t x = as_signed(a, in_width), y = as_signed(b, in_width);

    return integer(compare(op, (a > b) - (a < b), (x > y) - (x < y)), 1, out);
}

/* ---- Pointers ---- */

/* Different objects by their numbers; inside one by offset, which may lie
 * before its start; integers below all of them. */
static int pointer_order(struct lsl_value a, struct lsl_value b)
{
    int64_t x = (int64_t)a.bits, y = (int64_t)b.bits;

    if (a.base != b.base)
        return a.base < b.base ? -1 : 1;
    return (x > y) - (x < y);
}

static enum lsl_fault pointer_and_integer(enum lsl_pure op, struct lsl_value p,
                                          uint64_t n, struct lsl_value *out)
{
    switch (op) {
    case PURE_ADD:
        return pointer(p.base, p.bits + n, out);
    case PURE_SUB:
        return pointer(p.base, p.bits - n, out);
    case PURE_AND:
        if (n < LOW_BITS)
            return integer(p.bits & n, 64, out);
        return ~n < LOW_BITS ? pointer(p.base, p.bits & n, out)
                             : LSL_ON_POINTER;
    case PURE_OR:
        return n < LOW_BITS ? pointer(p.base, p.bits | n, out) : LSL_ON_POINTER;
    case PURE_XOR:
        return n < LOW_BITS ? pointer(p.base, p.bits ^ n, out) : LSL_ON_POINTER;
    case PURE_MUL:
        return n == 1 ? pointer(p.base, p.bits, out) : LSL_ON_POINTER;
    case PURE_SHL:
    case PURE_LSHR:
    case PURE_ASHR:
        return n == 0 ? pointer(p.base, p.bits, out) : LSL_ON_POINTER;
    default:
        return LSL_ON_POINTER;
    }
}

static bool is_commutative(enum lsl_pure op)
{
    return op == PURE_ADD || op == PURE_MUL || op == PURE_AND ||
           op == PURE_OR || op == PURE_XOR;
}

static enum lsl_fault on_pointers(enum lsl_pure op, struct lsl_value a,
                                  struct lsl_value b, struct lsl_value *out)
{
    if (a.kind == LSL_INTEGER)
        return is_commutative(op) ? pointer_and_integer(op, b, a.bits, out)
                                  : LSL_ON_POINTER;
    if (b.kind == LSL_INTEGER)
        return pointer_and_integer(op, a, b.bits, out);
    if (op == PURE_SUB && a.base == b.base)
        return integer(a.bits - b.bits, 64, out);
    if (op == PURE_XOR && a.base == b.base && (a.bits ^ b.bits) < LOW_BITS)
        return integer(a.bits ^ b.bits, 64, out);
    return LSL_ON_POINTER;
}

/* ---- Bytes ---- */

/* A value as bytes, of which some may not be known. */
struct bytes {
    uint32_t known; /* a bit each */
    uint64_t bits;
};

static struct bytes bytes_of(struct lsl_value v)
{
    if (v.kind == LSL_INTEGER)
        return (struct bytes){0xff, v.bits};
    return (struct bytes){v.base, v.base ? v.bits : 0};
}

static uint64_t bits_known(uint32_t known)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < 8; i++)
        mask |= known >> i & 1 ? 0xffull << (8 * i) : 0;
    return mask;
}

static void put_bytes(struct bytes x, unsigned width, struct lsl_value *out)
{
    uint32_t all = (1u << (width + 7) / 8) - 1;

    x.known &= all;
    if (x.known == all)
        integer(x.bits, width, out);
    else
        *out = (struct lsl_value){LSL_UNDEFINED, x.known,
                                  cut(x.bits, width) & bits_known(x.known)};
}

static enum lsl_fault take_part(unsigned width, struct lsl_value a,
                                struct lsl_value b, struct lsl_value *out)
{
    struct bytes x = bytes_of(a);
    unsigned at = (unsigned)b.bits;

    if (b.kind != LSL_INTEGER || b.bits >= 8)
        return LSL_FINE;
    if (a.kind == LSL_POINTER) {
        if (at || width < 64)
            return LSL_ON_POINTER;
        *out = a;
        return LSL_FINE;
    }
    put_bytes((struct bytes){x.known >> at, x.bits >> (8 * at)}, width, out);
    return LSL_FINE;
}

static enum lsl_fault join(unsigned width, unsigned low, struct lsl_value a,
                           struct lsl_value b, struct lsl_value *out)
{
    struct bytes x = bytes_of(a), y = bytes_of(b);

    if (low % 8 || low >= width)
        return LSL_FINE;
    if (a.kind == LSL_POINTER || b.kind == LSL_POINTER)
        return LSL_ON_POINTER;
    x.known &= (1u << low / 8) - 1;
    put_bytes((struct bytes){x.known | y.known << low / 8,
                             (x.bits & bits_known(x.known)) | y.bits << low},
              width, out);
    return LSL_FINE;
}

/* What only moves bytes keeps those that are known.  False: it is none of
 * these. */
static bool moves_bytes(enum lsl_pure op, unsigned width, unsigned in_width,
                        struct lsl_value a, struct lsl_value b,
                        struct lsl_value *out)
{
    struct bytes x = bytes_of(a);
    unsigned at = 0;

    if (a.kind != LSL_UNDEFINED || !a.base)
        return false;
    if (op == PURE_LSHR && b.kind == LSL_INTEGER && b.bits < width &&
        b.bits % 8 == 0)
        at = (unsigned)b.bits / 8;
    else if (op == PURE_ZEXT && in_width % 8 == 0)
        x.known |= 0xffu << in_width / 8;
    else if (op != PURE_TRUNC)
        return false;
    if (at) /* zeros come in from above */
        x.known = x.known >> at | 0xffu << (width / 8 - at);
    put_bytes((struct bytes){x.known, x.bits >> (8 * at)}, width, out);
    return true;
}

/* A byte that is masked away, or set, is known whatever it was.  False: it is
 * neither operation, or there is a pointer. */
static bool masks_bytes(enum lsl_pure op, unsigned width, struct lsl_value a,
                        struct lsl_value b, struct lsl_value *out)
{
    struct bytes x = bytes_of(a), y = bytes_of(b), z = {0, 0};
    uint8_t wins = op == PURE_AND ? 0 : 0xff;

    if ((op != PURE_AND && op != PURE_OR) || a.kind == LSL_POINTER ||
        b.kind == LSL_POINTER)
        return false;
    for (unsigned i = 0; i < 8; i++) {
        uint8_t p = (uint8_t)(x.bits >> 8 * i), q = (uint8_t)(y.bits >> 8 * i);
        bool p_known = x.known >> i & 1, q_known = y.known >> i & 1;

        if ((p_known && q_known) || (p_known && p == wins) ||
            (q_known && q == wins))
            z.known |= 1u << i;
        z.bits |= (uint64_t)(op == PURE_AND ? p & q : p | q) << 8 * i;
        if ((p_known && p == wins) || (q_known && q == wins))
            z.bits = (z.bits & ~(0xffull << 8 * i)) | (uint64_t)wins << 8 * i;
    }
    put_bytes(z, width, out);
    return true;
}

enum lsl_fault lsl_eval(enum lsl_pure op, unsigned width, unsigned in_width,
                        struct lsl_value a, struct lsl_value b,
                        struct lsl_value *out)
{
    bool divides = op >= PURE_UDIV && op <= PURE_SREM;

    CHECK(op < PURE_COUNT && width >= 1 && width <= 64);
    *out = (struct lsl_value){.kind = LSL_UNDEFINED};
    if (lsl_pure_operands(op) == 1)
        b = LSL_INT(0);
    /* Whatever the other is: the processor traps. */
    if (divides && b.kind == LSL_INTEGER && b.bits == 0)
        return LSL_BY_ZERO;
    if (op == PURE_PART)
        return take_part(width, a, b, out);
    if (op == PURE_JOIN)
        return join(width, in_width, a, b, out);
    if (moves_bytes(op, width, in_width, a, b, out))
        return LSL_FINE;
    if (a.kind == LSL_UNDEFINED || b.kind == LSL_UNDEFINED) {
        masks_bytes(op, width, a, b, out);
        return LSL_FINE;
    }
    if (a.kind == LSL_INTEGER && b.kind == LSL_INTEGER)
        return on_integers(op, width, in_width, a.bits, b.bits, out);
    if (is_comparison(op)) {
        int order = pointer_order(a, b);

        return integer(compare(op, order, order), 1, out);
    }
    if (width != 64 || lsl_pure_operands(op) == 1)
        return LSL_ON_POINTER;
    return on_pointers(op, a, b, out);
}
