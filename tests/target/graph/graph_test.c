/* SPDX-License-Identifier: MIT
 *
 * The graph search against brute force: the same graphs, none missing, none too
 * many, none twice, on every model and under every schedule.
 *
 *   graph_test random [COUNT [SEED [ACCESSES]]]
 *   graph_test bundles [COUNT [SEED [ACCESSES]]]   accesses of several parts
 *   graph_test torn [COUNT [SEED]]   loads of parts from several threads
 *   graph_test unfolding [COUNT [SEED]]   the same with atomic blocks
 *   graph_test equal [COUNT [SEED [ACCESSES]]]   threads of the same code
 *   graph_test blocks [COUNT [SEED [ACCESSES]]]    atomic blocks
 *   graph_test depends [COUNT [SEED [ACCESSES]]]   dependencies
 *   graph_test late [COUNT [SEED [ACCESSES]]]   load buffering
 *   graph_test late-waits [COUNT [SEED [ACCESSES]]]   with waits, and more RMWs
 *   graph_test late-pushed [COUNT [SEED]]   where POWER's stores propagate
 *   graph_test late-compared [COUNT [SEED]]   CAS that expect what was read
 *   graph_test late-deleted [COUNT [SEED]]   what is late does not come again
 *   graph_test chains [COUNT [SEED [ACCESSES]]]   chains of them
 *   graph_test everybody [COUNT [SEED [ACCESSES]]]   fences of every thread
 *   graph_test reduced [COUNT [SEED]]   rules that leave out what is blocked
 *   graph_test tasks [COUNT [SEED]]     explored in parts, sent as bytes
 *   graph_test axioms [COUNT [SEED]]    verify's axioms of C11 on candidates
 *   graph_test samples [COUNT [SEED]]   random executions
 *   graph_test shapes FILE  classical ones on processors
 *   graph_test estimates  of published numbers of executions
 *   graph_test cover      random executions until all were seen
 *   graph_test counts     published numbers of executions
 *   graph_test speed [NAME]   million executions a second
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "watch.h"

static const struct {
    const char *mode;
    mini_maker *make;
} kinds[] = {{"random", mini_random},
             {"bundles", mini_random_bundles},
             {"blocks", mini_random_blocks},
             {"everybody", mini_random_everybody},
             {"depends", mini_random_depends},
             {"chains", mini_random_chains},
             {"sizes", mini_random_sizes},
             {"torn", mini_random_torn},
             {"unfolding", mini_random_unfolding}};

static const char *const late_kinds[] = {[LATE_USUAL] = "late",
                                         [LATE_WAITS] = "late-waits",
                                         [LATE_PUSHED] = "late-pushed",
                                         [LATE_COMPARED] = "late-compared",
                                         [LATE_DELETED] = "late-deleted"};

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(mode, kinds[i].mode) == 0)
            return test_random(argc > 2 ? strtoul(argv[2], NULL, 10) : 2000,
                               argc > 3 ? strtoull(argv[3], NULL, 10) : 1,
                               argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10)
                                        : 8,
                               kinds[i].make);
    if (strcmp(mode, "equal") == 0)
        return test_equal(argc > 2 ? strtoul(argv[2], NULL, 10) : 500,
                          argc > 3 ? strtoull(argv[3], NULL, 10) : 1,
                          argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 7);
    for (size_t i = 0; i < sizeof late_kinds / sizeof *late_kinds; i++)
        if (strcmp(mode, late_kinds[i]) == 0)
            return test_late(argc > 2 ? strtoul(argv[2], NULL, 10) : 500,
                             argc > 3 ? strtoull(argv[3], NULL, 10) : 1,
                             argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10)
                                      : 7,
                             (enum late_kind)i);
    if (strcmp(mode, "reduced") == 0)
        return test_reduced(argc > 2 ? strtoul(argv[2], NULL, 10) : 500,
                            argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
    if (strcmp(mode, "ways") == 0)
        return test_ways(argc > 2 ? strtoul(argv[2], NULL, 10) : 300,
                         argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
    if (strcmp(mode, "samples") == 0)
        return test_samples(argc > 2 ? strtoul(argv[2], NULL, 10) : 100,
                            argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
    if (strcmp(mode, "axioms") == 0)
        return test_axioms(argc > 2 ? strtoul(argv[2], NULL, 10) : 1000,
                           argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
    if (strcmp(mode, "shapes") == 0 && argc > 2)
        return test_shapes(argv[2]);
    if (strcmp(mode, "estimates") == 0)
        return test_estimates();
    if (strcmp(mode, "cover") == 0)
        return test_cover();
    if (strcmp(mode, "counts") == 0)
        return test_counts();
    if (strcmp(mode, "speed") == 0)
        return test_speed(argc > 2 ? argv[2] : NULL);
    fputs("usage: graph_test "
          "random|bundles|torn|unfolding|blocks|everybody|depends|sizes|late|"
          "late-waits|"
          "late-pushed|late-compared|late-deleted|chains|equal|reduced|"
          "ways|axioms|samples|shapes|estimates|"
          "cover|counts|speed\n",
          stderr);
    return 2;
}
