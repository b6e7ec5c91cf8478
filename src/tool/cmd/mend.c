/* SPDX-License-Identifier: MIT
 *
 * As mend.h says.
 */
#include "cmd/mend.h"

#include "verify/verify.h"

#define MOST 1000000 /* executions */
#define UNROLL 100

bool mend_findings(struct call *call, struct shown **list, size_t count,
                   uint64_t ms, struct err *e)
{
    const struct options *o = call->options;
    struct verify_options v = {.base = target_job(o, &call->target),
                               .tables = &call->target.tables,
                               .models = o->models,
                               .model_count = o->model_count,
                               .unroll = UNROLL,
                               .arm = (unsigned)o->arm,
                               .rcpc = o->rcpc,
                               .jobs = (unsigned)o->jobs,
                               .until_ms = worker_now_ms() + ms};

    if (call->until_ms && call->until_ms < v.until_ms)
        v.until_ms = call->until_ms;
    return worker_time_is_up(v.until_ms) ||
           verify_mend(&v, list, count, MOST, &call->arena, e);
}
