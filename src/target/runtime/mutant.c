/* SPDX-License-Identifier: MIT
 *
 * Mutants for tests/oracle.  The first CODE_MUTANTS are MUTANT(n) in the code;
 * each of the others drops one fence from the table of C constructs of one
 * model.  A fence whose loss nothing can show is not listed.  Full fences on
 * both sides go together: a drain is one step here, so that the one that is
 * left does the work of both.
 *
 * Equal to the rule, and so not here: the full fences of lock, post and wait on
 * TSO, since each of them is an RMW too and that drains by itself (mutant 9);
 * wait on PSO, which has none to drop; a trylock that fails, which has none on
 * any model (mutants 19 and 20 are about what it waits for).
 */
#include "runtime/mutant.h"

#ifdef FENCER_MUTANT

#include <stdlib.h>
#include <string.h>

#include "runtime/rt.h"

enum { CODE_MUTANTS = 25 };

struct row {
    const char *model;
    enum model_construct construct;
    uint8_t before, after; /* fences to drop */
};

static const struct row rows[] = {
    {"tso", C_STORE_SEQ_CST, 0, FENCE_FULL},
    {"tso", C_FENCE_SEQ_CST, FENCE_FULL, 0},
    {"tso", C_UNLOCK, FENCE_FULL, FENCE_FULL},

    {"pso", C_STORE_RELEASE, FENCE_SS, 0},
    {"pso", C_STORE_SEQ_CST, 0, FENCE_FULL},
    {"pso", C_RMW_RELEASE, FENCE_SS, 0},
    {"pso", C_RMW_ACQ_REL, FENCE_SS, 0},
    {"pso", C_RMW_SEQ_CST, FENCE_FULL, FENCE_FULL},
    {"pso", C_FENCE_RELEASE, FENCE_SS, 0},
    {"pso", C_FENCE_ACQ_REL, FENCE_SS, 0},
    {"pso", C_FENCE_SEQ_CST, FENCE_FULL, 0},
    {"pso", C_UNLOCK, FENCE_SS, 0},
    {"pso", C_POST, FENCE_SS, 0},

    {"pslo", C_LOAD_ACQUIRE, 0, FENCE_LL},
    {"pslo", C_STORE_RELEASE, FENCE_SS, 0},
    {"pslo", C_STORE_SEQ_CST, 0, FENCE_FULL},
    {"pslo", C_RMW_ACQUIRE, 0, FENCE_LL},
    {"pslo", C_RMW_RELEASE, FENCE_SS, 0},
    {"pslo", C_RMW_ACQ_REL, FENCE_SS, 0},
    {"pslo", C_RMW_ACQ_REL, 0, FENCE_LL},
    {"pslo", C_RMW_SEQ_CST, FENCE_FULL, FENCE_FULL},
    {"pslo", C_CAS_FAIL_ACQUIRE, 0, FENCE_LL},
    {"pslo", C_FENCE_ACQUIRE, FENCE_LL, 0},
    {"pslo", C_FENCE_RELEASE, FENCE_SS, 0},
    {"pslo", C_FENCE_ACQ_REL, FENCE_SS, 0},
    {"pslo", C_FENCE_ACQ_REL, FENCE_LL, 0},
    {"pslo", C_FENCE_SEQ_CST, FENCE_FULL, 0},
    {"pslo", C_LOCK, 0, FENCE_LL},
    {"pslo", C_UNLOCK, FENCE_SS, 0},
    {"pslo", C_POST, FENCE_SS, 0},
    {"pslo", C_WAIT, 0, FENCE_LL},
};
enum { ROWS = sizeof rows / sizeof *rows };

uint32_t __fencer_mutant;
const uint32_t __fencer_mutant_count = CODE_MUTANTS + ROWS;

void mutant_choose(void)
{
    const char *number = getenv("FENCER_MUTANT");

    if (number)
        __fencer_mutant = (uint32_t)atoi(number);
}

const struct model *mutant_model(const struct model *m)
{
    static struct model broken;
    const struct row *row;

    if (!m || __fencer_mutant <= CODE_MUTANTS ||
        __fencer_mutant > CODE_MUTANTS + ROWS)
        return m;
    row = &rows[__fencer_mutant - CODE_MUTANTS - 1];
    if (strcmp(m->name, row->model) != 0)
        return m;
    broken = *m;
    broken.recipe[row->construct].before &= (uint8_t)~row->before;
    broken.recipe[row->construct].after &= (uint8_t)~row->after;
    return &broken;
}

#endif
