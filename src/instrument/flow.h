/* SPDX-License-Identifier: MIT
 *
 * The control flow of one function: blocks by number, dominators, and the
 * edges that close loops.  LLVM-C has none of this.
 */
#ifndef INSTRUMENT_FLOW_H
#define INSTRUMENT_FLOW_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

#define FLOW_NONE UINT32_MAX

struct flow_edge {
    uint32_t from, to;
    bool natural; /* `to` dominates `from`: a loop with that header */
};

struct flow {
    LLVMBasicBlockRef *blocks; /* those reachable, in reverse postorder */
    uint32_t count;
    struct map index;            /* block to its number + 1 */
    uint32_t *dominator;         /* immediate; of the entry: itself */
    uint32_t *pred, *pred_start; /* predecessors of b: pred[pred_start[b]...] */
    struct flow_edge *back;      /* edges that close a loop */
    size_t back_count;
};

void flow_init(struct flow *f, LLVMValueRef function);
void flow_free(struct flow *f);
uint32_t flow_index(const struct flow *f, LLVMBasicBlockRef block);
bool flow_dominates(const struct flow *f, uint32_t a, uint32_t b);

/* The blocks of the natural loops with that header: in[b] becomes true. */
void flow_loop(const struct flow *f, uint32_t header, bool *in);

#endif
