/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include "base/buf.h"

json_t *json_text(const char *text)
{
    json_t *j = json_string(text);
    struct buf clean = {0};

    if (j)
        return j;
    for (; *text; text++)
        buf_putc(&clean, (unsigned char)*text < 0x80 ? *text : '?');
    j = json_stringn(clean.bytes, clean.count);
    buf_free(&clean);
    return j;
}
