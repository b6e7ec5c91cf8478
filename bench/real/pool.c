/* SPDX-License-Identifier: MIT
 *
 * libuv's pool: two jobs on two threads, and a loop that waits for them by
 * eventfd and epoll.  What a job wrote is there when the loop hears of it.
 */
#include <assert.h>

#include "uv.h"

static int results[2], heard;

static void work(uv_work_t *job)
{
    int *result = job->data;

    *result += 1;
}

static void after(uv_work_t *job, int status)
{
    int *result = job->data;

    assert(status == 0 && *result == 1);
    heard++;
}

int main(void)
{
    uv_work_t jobs[2];
    uv_loop_t loop;

    assert(uv_loop_init(&loop) == 0);
    for (int i = 0; i < 2; i++) {
        jobs[i].data = &results[i];
        assert(uv_queue_work(&loop, &jobs[i], work, after) == 0);
    }
    assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
    assert(heard == 2);
    assert(uv_loop_close(&loop) == 0);
    return 0;
}
