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
    if (worker_interrupted())
        s->why = "interrupted";
    else if (worker_time_is_up(s->until_ms))
        s->why = "the time limit came";
    return s->why != NULL;
}
