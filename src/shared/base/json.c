/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <string.h>

#include "base/clean.h"

json_t *json_text(const char *text)
{
    json_t *j = json_string(text);
    struct buf clean = {0};

    if (j)
        return j;
    clean_put(&clean, text, strlen(text), CLEAN_LINES);
    j = json_stringn(clean.bytes, clean.count);
    buf_free(&clean);
    return j;
}
