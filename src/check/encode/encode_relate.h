/* SPDX-License-Identifier: MIT
 *
 * A solution as the relation language sees it (model/relation.h): its events
 * are points, a relation is a matrix of bits over them, and every pair in it
 * can be explained by literals that hold.
 */
#ifndef ENCODE_ENCODE_RELATE_H
#define ENCODE_ENCODE_RELATE_H

#include "base/vec.h"
#include "encode/encode_inside.h"

#define NO_POINT UINT32_MAX

/* An access, a fence, or where threads begin and meet. */
struct point {
    uint32_t event, thread;
    uint32_t marks; /* enum relation_mark */
    int why[3];     /* literals: it is there, with these marks; 0: none */
};

/* ---- The model's texts, read once (encode_statement.c) ---- */

struct stated_axiom {
    enum relation_test test;
    struct relation_tree tree;
};

struct statement {
    const struct model_mapping *mapping; /* NULL: recipes, or C11 */
    bool merges, picks;                  /* picks: selections count */
    struct relation_tree *terms;         /* of ppo */
    bool *closes; /* per term: it speaks of the closure of all */
    size_t term_count;
    struct relation_tree *lets;
    size_t let_count, asw_let; /* to which of them threads' beginnings belong */
    bool *recursive;           /* per let; neighbours are one group */
    struct relation_tree before; /* what orders two events of threads: hb+ */
    struct stated_axiom *axioms;
    size_t axiom_count;
};

/* What C becomes on that model.  NULL: its rules are not stated so. */
struct statement *statement_read(const struct model *m, struct arena *a);

/* What the half of an RMW becomes is an event of its own. */
bool statement_splits(const struct encoding *x, const struct flat_event *e);

/* ---- Dependencies (encode_depends.c) ---- */

/* Per value the loads that it was computed from, and those that only chose. */
struct depends {
    struct encoding *x;
    size_t words;
    uint64_t *deps, *picks;
    uint64_t *seen; /* of one walk through values */
};

struct depends *depends_new(struct encoding *x);
void depends_free(struct depends *d);
bool depends_has(const struct depends *d, uint32_t value, uint32_t load,
                 bool pick);

/* Literals. */
struct reasons {
    VEC(int);
};
void reasons_add(struct reasons *r, int lit);

/* Why the value depends on the load. */
void depends_explain(const struct depends *d, uint32_t value, uint32_t load,
                     bool pick, struct reasons *why);

/* ---- Points (encode_points.c) ---- */

struct points {
    VEC(struct point);
};

/* What one thread executed, in program order; with where it meets others. */
void points_add_thread(struct encoding *x, uint32_t thread, bool meetings,
                       struct points *out);

/* ---- Relations (encode_relate.c, encode_bases.c) ---- */

/* A text over the points. */
struct evaluated {
    const struct relation_tree *tree;
    uint64_t **nodes; /* a matrix each; of a set: one row */
    bool *is_set;
    unsigned level; /* of BASE_PPO */
};

struct relate {
    struct encoding *x;
    const struct depends *depends; /* NULL: none count */
    struct points points;
    uint32_t *point_of; /* per event: its access, or NO_POINT */
    size_t words;
    struct arena arena;
    uint64_t *bases[BASE_COUNT];
    uint64_t *asw;
    struct evaluated *lets;
    /* Per let that is recursive: it, round by round, until it did not grow. */
    struct rounds {
        VEC(struct evaluated *);
    } *rounds;
    /* ppo, level by level: terms, those that use what is below, ... */
    VEC(struct evaluated *) terms;
    VEC(uint64_t *) ppo;
    VEC(uint64_t *) closed;
};

/* Takes the points. */
void relate_begin(struct relate *r, struct encoding *x, const struct depends *d,
                  struct points points);
void relate_end(struct relate *r);

static inline bool relate_bit(const uint64_t *row, uint32_t i)
{
    return row[i / 64] >> (i % 64) & 1;
}

static inline void relate_set(uint64_t *row, uint32_t i)
{
    row[i / 64] |= 1ull << (i % 64);
}

static inline uint64_t *relate_row(const struct relate *r, uint64_t *matrix,
                                   uint32_t i)
{
    return matrix + (size_t)i * r->words;
}

static inline bool relate_has(const struct relate *r, uint64_t *matrix,
                              uint32_t a, uint32_t b)
{
    return relate_bit(relate_row(r, matrix, a), b);
}

uint64_t *relate_new(struct relate *r);
void relate_unite(const struct relate *r, uint64_t *to, const uint64_t *from);

/* The relation that an execution brings. */
uint64_t *relate_base(struct relate *r, enum relation_base base);

struct evaluated *relate_evaluate(struct relate *r,
                                  const struct relation_tree *tree,
                                  unsigned level);
uint64_t *relate_whole(const struct evaluated *v);

/* What the terms keep; all levels. */
uint64_t *relate_ppo(struct relate *r);
void relate_lets(struct relate *r);

/* The shortest way from a to b, at least one step: points in `way`, the first
 * is a, the last b; how many steps.  0: there is none. */
uint32_t relate_way(struct relate *r, uint64_t *matrix, uint32_t a, uint32_t b,
                    uint32_t *way);

/* Why the pair is in the relation. */
void relate_explain(struct relate *r, const struct evaluated *v, uint32_t a,
                    uint32_t b, struct reasons *why);
void relate_explain_ppo(struct relate *r, uint32_t a, uint32_t b,
                        struct reasons *why);
void relate_explain_base(struct relate *r, enum relation_base base, uint32_t a,
                         uint32_t b, struct reasons *why);

/* ---- Races (encode_race.c) ---- */

/* Races, and frees, that happens-before contradicts: how many clauses.  Of a
 * solution that has a race, none. */
size_t race_forbid(struct relate *r, const struct evaluated *hb);
size_t free_forbid(struct relate *r, const struct evaluated *hb);

#endif
