/* SPDX-License-Identifier: MIT
 *
 * C11 as `fencer verify` explores it, against the axioms of language.c: the
 * same outcomes, a data race exactly if there is one, and an execution that SC
 * does not have exactly if there is one.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"
#include "compare.h"
#include "language.h"

enum { MAX_STATES = 60000, MOST = 1000000 };

/* Of all workers together. */
static struct tally {
    atomic_uint programs, left_out, refused, racy, leave, wrong;
} *tally;

void compare_language_begin(void)
{
    tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(tally != MAP_FAILED, "cannot map memory");
}

void compare_language_end(void)
{
    printf("c11: %u programs, %u left out, %u refused; %u race, %u leave SC; "
           "%u wrong\n",
           tally->programs, tally->left_out, tally->refused, tally->racy,
           tally->leave, tally->wrong);
    munmap(tally, sizeof *tally);
}

/* Where threads may wait for ever, that an execution of these leaves SC is not
 * asked. */
static bool is_right(const struct language *l, const struct engine_result *r,
                     const struct outcomes *seen)
{
    return r->all && outcomes_equal(seen, &l->outcomes) &&
           r->races == l->races &&
           (l->stuck ? !l->leaves || r->not_sc : l->leaves == r->not_sc);
}

static bool compare(struct engine *e, const struct program *p,
                    const struct language *l)
{
    struct engine_job job = {
        .model = "c11", .way = ENGINE_GRAPH, .most = MOST, .may_hang = true};
    struct engine_result r;
    struct outcomes seen;
    char error[512] = "";
    bool ok;

    outcomes_init(&seen, p->observed_count);
    ok = check_run(e, &job, p, &seen, &r, error, sizeof error);
    if (ok && r.refused)
        tally->refused++;
    else
        ok = ok && is_right(l, &r, &seen);
    if (!ok) {
        fprintf(stderr, "%s: c11: %s: %zu outcomes of %zu; %s, %s; %s SC, %s\n",
                p->name, error, seen.count, l->outcomes.count,
                r.races ? "races" : "no race", l->races ? "races" : "no race",
                r.not_sc ? "leaves" : "keeps", l->leaves ? "leaves" : "keeps");
        tally->wrong++;
    }
    outcomes_free(&seen);
    return ok;
}

static bool is_as_stated(const struct program *p, const struct language *l)
{
    enum verdict found = outcomes_verdict(p, &l->outcomes);

    if (p->language == VERDICT_NONE ||
        (p->language == found && p->language_races == l->races))
        return true;
    fprintf(stderr, "%s: c11: its head says %s%s, it is %s%s\n", p->name,
            verdict_names[p->language], p->language_races ? ", race" : "",
            verdict_names[found], l->races ? ", race" : "");
    tally->wrong++;
    return false;
}

bool compare_language_of(struct engine *e, const struct program *p)
{
    struct language l;
    bool ok = true;

    tally->programs++;
    if (language_find(&l, p, MAX_STATES)) {
        tally->racy += l.races;
        tally->leave += l.leaves;
        ok = is_as_stated(p, &l);
        ok = compare(e, p, &l) && ok;
    } else {
        tally->left_out++;
    }
    outcomes_free(&l.outcomes);
    return ok;
}
