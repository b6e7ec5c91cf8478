/* SPDX-License-Identifier: MIT
 *
 * An execution as a table: time downwards, a column per thread.
 */
#ifndef REPORT_INTERLEAVING_H
#define REPORT_INTERLEAVING_H

#include "report/report.h"

void interleaving_put(const struct trace *t, const struct shown_cycle *cycle,
                      const struct report_style *style, struct buf *out);

#endif
