/* SPDX-License-Identifier: MIT
 *
 * The processor time of a tested program: see worked.c.
 */
#ifndef WORKER_WORKED_H
#define WORKER_WORKED_H

#include <stdint.h>
#include <sys/types.h>

/* Of that process and of those that it started, in milliseconds. */
uint64_t worked_ms(pid_t pid);

#endif
