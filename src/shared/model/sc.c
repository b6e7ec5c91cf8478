/* SPDX-License-Identifier: MIT
 *
 * SC: one memory, no buffers.  No construct needs a fence.
 */
#include "model/model.h"

const struct model model_sc = {
    .name = "sc",
    .words = "SC",
};
