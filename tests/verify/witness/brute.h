/* SPDX-License-Identifier: MIT
 *
 * What a monitor may report about an SC execution, by definition: relations as
 * matrices, and the two conditions of docs/monitors.md's Lemma 3 for each
 * operation and each write.  Shares nothing with src/target/monitor or
 * src/verify.
 */
#ifndef WITNESS_BRUTE_H
#define WITNESS_BRUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "event/channel.h"
#include "event/happening.h"
#include "model/model.h"

#define BRUTE_EVENTS 192 /* an execution with more has no reports */
#define BRUTE_REPORTS 512

/* All of them, at most BRUTE_REPORTS; operations that happened only.  Those of
 * sizes that overlap, and executions with atomic blocks, are passed by.
 * Without `possible`: what would leave SC, but the model keeps in order. */
size_t brute_reports(const struct happening *log, size_t count,
                     const struct model *m, bool possible,
                     struct channel_report *reports);

#endif
