/* SPDX-License-Identifier: MIT
 *
 * Seven files in four directories, one of them empty.  "fence" occurs in them
 * five times, and twice more with other capitals.
 */
#include "tree.h"

#include <stddef.h>

static const struct entry models[] = {
    {"sc", "one memory, no fence needed", NULL},
    {"tso", "a store buffer; a full fence drains it", NULL},
    {"pso", "buffers for each address: store-store fence", NULL},
    {NULL, NULL, NULL},
};

static const struct entry nothing[] = {
    {NULL, NULL, NULL},
};

static const struct entry docs[] = {
    {"models", NULL, models},
    {"old", NULL, nothing},
    {"faq", "Fence? FENCE, then fence again.", NULL},
    {"empty", "", NULL},
    {NULL, NULL, NULL},
};

static const struct entry root[] = {
    {"readme", "nothing to see here", NULL},
    {"docs", NULL, docs},
    {"notes", "fen, offences and pence: half a", NULL},
    {NULL, NULL, NULL},
};

const struct entry tree_root = {"", NULL, root};
