/* SPDX-License-Identifier: MIT
 *
 * What jansson leaves to us.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>

/* Text of the program may be no UTF-8; JSON is.  What is none is escaped
 * (base/clean.h). */
json_t *json_text(const char *text);

#endif
