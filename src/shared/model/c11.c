/* SPDX-License-Identifier: MIT
 *
 * C11: what the language itself promises, on any machine and with any compiler
 * (RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017; docs/models.md).  No
 * recipe turns its constructs into fences: each keeps its own memory order, and
 * what comes before what is happens-before.  It is axioms only.
 *
 * C++20 made release sequences shorter: a later plain or relaxed store of the
 * same thread no longer continues one.  c11 is that; rc11 is the paper's text,
 * for comparison with what was published.
 */
#include "model/model.h"

#define LETS(release_sequence)                                                 \
    {"rs", release_sequence, false},                                           \
        {"sw", "[L];([F];po)?;rs;rf;[R & AT];(po;[F])?;[A]", false},           \
        {"hb", "(po|sw)+", false}, {"eco", "(rf|co|fr)+", false},              \
        {"elsewhere", "po \\ loc", false},                                     \
        {"scb", "po|elsewhere;hb;elsewhere|hb & loc|co|fr", false},            \
        {"psc",                                                                \
         "([SC]|[F & SC];hb?);scb;([SC]|hb?;[F & SC])"                         \
         "|[F & SC];(hb|hb;eco;hb);[F & SC]",                                  \
         false},                                                               \
        {"race", "conflict \\ (hb|hb^-1)", false},                             \
    {                                                                          \
        NULL, NULL, false                                                      \
    }

static const struct relation_let c11_lets[] = {
    LETS("[W & AT];(rf;rmw)*"),
};

static const struct relation_let rc11_lets[] = {
    LETS("[W];po-loc?;[W & AT];(rf;rmw)*"),
};

static const struct relation_axiom axiom_list[] = {
    {"coherence", RELATION_IRREFLEXIVE, "hb;eco?"},
    {"seq_cst", RELATION_ACYCLIC, "psc"},
    {NULL, RELATION_ACYCLIC, NULL},
};

/* With rf alone: no value comes out of thin air. */
static const char *const ppo[] = {"po", NULL};

static const struct model_axioms c11_axioms = {
    .stands = "the C11 and C++20 language, on any machine",
    .ppo = ppo,
    .edges = EDGE_RFE,
    .lets = c11_lets,
    .axioms = axiom_list,
};

static const struct model_axioms rc11_axioms = {
    .stands = "C11 with the release sequences of before C++20",
    .ppo = ppo,
    .edges = EDGE_RFE,
    .lets = rc11_lets,
    .axioms = axiom_list,
};

const struct model model_c11 = {
    .name = "c11",
    .words = "C11",
    .axioms = &c11_axioms,
    .delays_stores = true,
    .reorders_stores = true,
    .reorders_loads = true,
    .by_language = true,
};

const struct model model_rc11 = {
    .name = "rc11",
    .words = "C11 of 2017",
    .axioms = &rc11_axioms,
    .by_language = true,
    .by_axioms = true,
};
