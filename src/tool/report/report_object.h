/* SPDX-License-Identifier: MIT
 *
 * The contract's object, before it is text: --json writes it, and the page of
 * --html carries it.
 */
#ifndef REPORT_REPORT_OBJECT_H
#define REPORT_REPORT_OBJECT_H

#include "base/json.h"
#include "report/report.h"

json_t *report_object(const struct report *r);

#endif
