/* SPDX-License-Identifier: MIT
 *
 * SARIF before it is text: annotations for a code host are made from it.
 */
#ifndef REPORT_REPORT_SARIF_H
#define REPORT_REPORT_SARIF_H

#include "base/json.h"
#include "report/report.h"

json_t *report_sarif_object(const struct report *r);

#endif
