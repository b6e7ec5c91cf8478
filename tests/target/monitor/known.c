/* SPDX-License-Identifier: MIT
 *
 * Litmus tests with the models they are not robust on; the minimal programs
 * that published monitors are wrong about; and operations that never happen.
 */
#include "known.h"

#include <stdio.h>
#include <string.h>

#include "parse.h"

#define ALL_KINDS ((1u << WATCH_COUNT) - 1)
#define LOADS_ONLY (1u << WATCH_SOBER | 1u << WATCH_TSO_CLOCKS)

static struct op *add(struct program *p, enum op_kind kind)
{
    struct thread *t = &p->threads[p->thread_count - 1];
    struct op *op = &t->ops[t->op_count++];

    REQUIRE(t->op_count <= MAX_OPS, "a long thread");
    memset(op, 0, sizeof *op);
    op->kind = (uint8_t)kind;
    op->dest = op->dep = -1;
    op->value.reg = op->expected.reg = -1;
    return op;
}

static void add_access(struct program *p, const char *word)
{
    struct op *op = add(p, word[0] == 'R'   ? OP_LOAD
                           : word[0] == 'W' ? OP_STORE
                                            : OP_XCHG);

    REQUIRE(strchr("RWUI", word[0]) && word[1] >= 'x' && word[1] <= 'z',
            "what is %s?", word);
    op->order = word[0] == 'I' ? SEQ_CST : word[0] == 'U' ? RELAXED : PLAIN;
    op->place = (struct place){(uint8_t)(word[1] - 'x'), 0, 4};
    if (op->kind != OP_LOAD)
        op->value.constant =
            10 * p->thread_count + p->threads[p->thread_count - 1].op_count;
    if (op->kind != OP_STORE)
        op->dest = (int8_t)p->reg_count++;
}

static void add_word(struct program *p, const char *word)
{
    static const char *const fences[] = {"ss", "sl", "ll", "ls", "full"};

    if (!strcmp(word, "|")) {
        p->threads[p->thread_count++].started = true;
        return;
    }
    for (unsigned i = 0; i < 5; i++)
        if (!strcmp(word, fences[i])) {
            add(p, OP_FENCE)->bits = (uint8_t)(1u << i);
            return;
        }
    add_access(p, word);
}

void known_parse(const char *text, struct program *p)
{
    char word[8];
    int length;

    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "%.39s", text);
    p->var_count = 3;
    for (unsigned i = 0; i < 3; i++)
        p->vars[i].name[0] = (char)('x' + i);
    add_word(p, "|");
    for (; sscanf(text, "%7s%n", word, &length) == 1; text += length)
        add_word(p, word);
}

/* ---- Litmus tests ---- */

static const struct {
    const char *name, *text;
    const char *relaxed; /* on TSO, PSO, PSLO */
} litmus[] = {
    {"SB", "Wx Ry | Wy Rx", "111"},
    {"R", "Wx Wy | Wy Rx", "111"},
    {"RWC", "Wx | Rx Ry | Wy Rx", "111"},
    {"MP", "Wx Wy | Ry Rx", "011"},
    {"S", "Wx Wy | Ry Wx", "011"},
    {"2+2W", "Wx Wy | Wy Wx", "011"},
    {"ISA2", "Wx Wy | Ry Wz | Rz Rx", "011"},
    {"WRC", "Wx | Rx Wy | Ry Rx", "001"},
    {"IRIW", "Wx | Wy | Rx Ry | Ry Rx", "001"},
    {"LB", "Rx Wy | Ry Wx", "000"},
    {"CoRR", "Wx | Rx Rx", "000"},
    {"CoWW", "Wx Wx | Rx", "000"},
    {"SB+ss", "Wx ss Ry | Wy ss Rx", "111"},
    {"SB+sl", "Wx sl Ry | Wy sl Rx", "000"},
    {"SB+full", "Wx full Ry | Wy full Rx", "000"},
    {"MP+ss", "Wx ss Wy | Ry Rx", "001"},
    {"MP+ss+ll", "Wx ss Wy | Ry ll Rx", "000"},
    {"MP+full", "Wx full Wy | Ry Rx", "001"},
    {"2+2W+ss", "Wx ss Wy | Wy ss Wx", "000"},
    {"SB+rmw", "Wx Uz Ry | Wy Uz Rx", "011"},
    {"RMW at the end", "Wx Wy | Ry Ux", "011"},
    {"forwarding", "Ry Rx Wy | Wy Ry Wx", "011"},
};

static bool check_litmus(void)
{
    bool right = true;

    for (size_t i = 0; i < sizeof litmus / sizeof *litmus; i++) {
        struct judge j = {.kinds = ALL_KINDS, .max_interleavings = 3000};
        struct tally t = {0};
        struct program p;

        known_parse(litmus[i].text, &p);
        judge_program(&j, &p, &t);
        for (enum watch_kind k = WATCH_TSO; k <= WATCH_PSLO; k++) {
            bool relaxed = litmus[i].relaxed[k - WATCH_TSO] == '1';

            if (t.by[k].relaxed == relaxed && tally_is_right(&t, k))
                continue;
            printf("%s on %s: not as known\n", litmus[i].name, watch_name(k));
            right = false;
        }
    }
    return right;
}

/* A store cannot come right before an RMW: that would have read it, and gone
 * another way. */
static bool check_blind(void)
{
    static const char text[] =
        "#include \"litmus.h\"\n"
        "int x, y;\n"
        "fencer_ghost long r0;\n"
        "THREAD(left) { x = 1; y = 1; }\n"
        "THREAD(right) {\n"
        "    r0 = __atomic_exchange_n(&y, 2, __ATOMIC_RELAXED);\n"
        "    if (r0 == 0) { x = 2; }\n"
        "}\n"
        "LITMUS(left, right) { OBSERVE(r0); EXISTS(r0 == 0); }\n";
    struct judge j = {.kinds = ALL_KINDS, .max_interleavings = 3000};
    struct tally t = {0};
    struct programs list;
    char error[256] = "";

    REQUIRE(parse_text(text, "blind", &list, error, sizeof error), "%s", error);
    judge_program(&j, &list.list[0], &t);
    programs_free(&list);
    for (enum watch_kind k = WATCH_TSO; k <= WATCH_PSLO; k++)
        if (t.by[k].relaxed || !tally_is_right(&t, k)) {
            printf("%s: a store before an RMW\n", watch_name(k));
            return false;
        }
    return true;
}

/* ---- Flaws ---- */

static const struct {
    const char *text;
    enum watch_kind kind;
    bool misses; /* it reports none, not only not all */
} flaws[] = {
    {"Wx Rx Ry | Wy Wx", WATCH_SOBER, true},
    {"Wx Rx Rz | Wz Ix", WATCH_SOBER, true},
    {"Wy Ry Wx Ix | Rx Ry", WATCH_BURNIM_PSO, false},
    {"Iz | Wy Rx Rz | Wz Wx Ix", WATCH_BURNIM_PSO, false},
};

static bool check_flaws(void)
{
    bool right = true;

    for (size_t i = 0; i < sizeof flaws / sizeof *flaws; i++) {
        struct judge j = {.kinds = ALL_KINDS, .max_interleavings = 3000};
        struct tally t = {0};
        struct program p;

        known_parse(flaws[i].text, &p);
        judge_program(&j, &p, &t);
        if (t.by[flaws[i].kind].missed == flaws[i].misses &&
            t.by[flaws[i].kind].adversarial == 1 &&
            tally_is_right(&t, WATCH_TSO) && tally_is_right(&t, WATCH_PSO) &&
            tally_is_right(&t, WATCH_TSO_CLOCKS))
            continue;
        printf("%s: %s is not as published\n", flaws[i].text,
               watch_name(flaws[i].kind));
        right = false;
    }
    return right;
}

/* ---- What never happens ---- */

enum { X = 0x1000, Z = 0x2000 };

#define MADE(t) {.kind = EV_CREATE, .other = (t)}
#define STORED(t, a, v)                                                        \
    {.kind = EV_STORE, .thread = (t), .address = (a), .size = 4, .wrote = (v)}
#define LOADED(t, a, v)                                                        \
    {.kind = EV_LOAD, .thread = (t), .address = (a), .size = 4, .read = (v)}

/* st z=1; await x==0 || st x=1; await z==0: whoever is second waits for ever on
 * SC, and goes on where it may read what was there before. */
static bool check_pending(void)
{
    static const struct happening log[] = {MADE(1), MADE(2), STORED(1, Z, 1),
                                           LOADED(1, X, 0), STORED(2, X, 1)};
    struct happening load = LOADED(2, Z, 0), rmw = load, cas = load;
    struct watched w;
    bool right;

    load.flags = HAPPENED_AWAIT;
    load.expected = 1;
    w = watch(ALL_KINDS, log, 5, &load, 1, false);
    right = w.reported == ALL_KINDS && !w.doubted;
    load.expected = 0; /* what it would read is what it waits for to change */
    right &= !watch(ALL_KINDS, log, 5, &load, 1, false).reported;

    /* It is the other thread's store that waits, so that draining does not
     * help; clocks look at loads only. */
    rmw.kind = EV_RMW;
    rmw.order = ORDER_RELAXED;
    rmw.flags = HAPPENED_AWAIT;
    rmw.expected = 1;
    w = watch(ALL_KINDS, log, 5, &rmw, 1, false);
    right &= w.reported == (ALL_KINDS & ~LOADS_ONLY);

    /* A CAS that fails again, but on another value; one that fails on the
     * same. */
    cas.kind = EV_RMW;
    cas.order = ORDER_RELAXED;
    cas.flags = HAPPENED_AWAIT | HAPPENED_CAS;
    cas.expected = 7;
    cas.read = 1;
    w = watch(ALL_KINDS, log, 5, &cas, 1, false);
    right &= w.reported == (ALL_KINDS & ~LOADS_ONLY);
    cas.read = 0;
    right &= !watch(ALL_KINDS, log, 5, &cas, 1, false).reported;
    if (!right)
        printf("operations that never happen: not as known\n");
    return right;
}

/* lock; unlock; st z || ld z; trylock: where the unlocking store may come after
 * that to z, trylock may fail; a lock that waits cannot. */
static bool check_try(void)
{
    static const struct happening log[] = {
        MADE(1),
        MADE(2),
        {.kind = EV_LOCK, .thread = 1, .address = X, .size = 8, .wrote = 1},
        {.kind = EV_UNLOCK, .thread = 1, .address = X, .size = 8, .read = 1},
        STORED(1, Z, 1),
        LOADED(2, Z, 1)};
    struct happening lock = {
        .kind = EV_LOCK, .thread = 2, .address = X, .size = 8, .wrote = 1};
    struct watched waits = watch(ALL_KINDS, log, 6, &lock, 1, false), tries;

    lock.flags = HAPPENED_CAS;
    tries = watch(ALL_KINDS, log, 6, &lock, 1, false);
    if (!waits.reported && tries.reported >> WATCH_PSO & 1 &&
        tries.reported >> WATCH_PSLO & 1 && !(tries.reported >> WATCH_TSO & 1))
        return true;
    printf("a lock that is tried: not as known\n");
    return false;
}

bool known_check(void)
{
    bool right = check_litmus();

    right &= check_blind();
    right &= check_flaws();
    right &= check_pending();
    right &= check_try();
    return right;
}
