/* SPDX-License-Identifier: MIT
 *
 * SC: one memory, no buffers.  No construct needs a fence.
 */
#include "model/model.h"

static const char *const ppo[] = {
    "po",
    NULL,
};

static const struct model_axioms axioms = {
    .stands = "one memory, one access after the other",
    .ppo = ppo,
    .merge = true,
    .edges = EDGE_ALL,
};

const struct model model_sc = {
    .name = "sc",
    .words = "SC",
    .axioms = &axioms,
};
