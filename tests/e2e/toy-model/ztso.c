/* SPDX-License-Identifier: MIT
 *
 * Ztso, RISC-V's extension for total store order: as RVWMO, with the order that
 * TSO keeps.  It has no machine; fencer litmus judges by its axioms.
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
    .edges = EDGE_ALL,
};

const struct model model_ztso = {
    .name = "ztso",
    .words = "RISC-V (Ztso)",
    .axioms = &axioms,
    .by_axioms = true,
};
