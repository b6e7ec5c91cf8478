/* SPDX-License-Identifier: MIT
 *
 * Ztso, RISC-V's extension for total store order: as RVWMO, with the order that
 * TSO keeps, and what C becomes on it is what it becomes there.  It has no
 * machine: engines compute its terms.
 */
#include "model/model.h"

static const char *const ppo[] = {
    "[R];po;[M]",
    "[W];po;[W]",
    "[W];po;[wr];po;[R]",
    "[(A|L)&(AMO|X)];po;[(A|L)&(AMO|X)]",
    NULL,
};

static const struct model_axioms axioms = {
    .stands = "RISC-V processors with Ztso",
    .assembly = "RISCV",
    .ppo = ppo,
    .merge = true,
    .parts = PARTS_ONE_NODE,
    .edges = EDGE_ALL,
    .mappings = {&model_psabi},
};

const struct model model_ztso = {
    .name = "ztso",
    .words = "RISC-V (Ztso)",
    .axioms = &axioms,
    .delays_stores = true,
    .reorders_stores = true,
    .reorders_loads = true,
    .by_axioms = true,
};
