/* SPDX-License-Identifier: MIT
 *
 * What jansson leaves to us.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>

#include "base/buf.h"

/* Text of the program may be no UTF-8; JSON is.  What is none is escaped
 * (base/clean.h). */
json_t *json_text(const char *text);

/* The value as text, with jansson's flags.  It is given away. */
void json_put(json_t *j, size_t flags, struct buf *out);

/* JSON as it is, in ASCII: other characters are in strings only, and there they
 * may be written by their numbers.  A terminal can show that. */
void json_put_ascii(const char *json, size_t n, struct buf *out);

#endif
