/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
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

/* A sequence of UTF-8, which jansson has checked. */
static size_t take_code(const unsigned char *at, uint32_t *code)
{
    size_t n = *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;

    *code = *at & (0x7fu >> n);
    for (size_t i = 1; i < n; i++)
        *code = *code << 6 | (at[i] & 0x3f);
    return n;
}

void json_put_ascii(const char *json, size_t n, struct buf *out)
{
    for (size_t i = 0; i < n;) {
        uint32_t code;

        if ((unsigned char)json[i] < 0x80) {
            buf_putc(out, json[i++]);
            continue;
        }
        i += take_code((const unsigned char *)&json[i], &code);
        if (code >= 0x10000) { /* two halves */
            code -= 0x10000;
            buf_printf(out, "\\u%04x", 0xd800 | code >> 10);
            code = 0xdc00 | (code & 0x3ff);
        }
        buf_printf(out, "\\u%04x", code);
    }
}

void json_put(json_t *j, size_t flags, struct buf *out)
{
    char *text = json_dumps(j, flags);

    CHECK(text != NULL);
    buf_puts(out, text);
    free(text);
    json_decref(j);
}
