/* SPDX-License-Identifier: MIT
 *
 * As stop.h says.
 */
#include "worker/stop.h"

#include "worker/worker.h"

bool stop_now(struct stop *s)
{
    if (s->why || s->refused)
        return true;
    if (worker_interrupted()) {
        s->why = "interrupted";
    } else if (worker_time_is_up(s->until_ms)) {
        s->why = s->own ? "the time that it takes by itself was over (--time)"
                        : "the time limit came";
        s->own_came = s->own;
    }
    return s->why != NULL;
}
