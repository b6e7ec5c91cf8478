/* SPDX-License-Identifier: MIT
 *
 * Any bytes as TOML.  What is taken can be walked, has its lines in order
 * inside a table's values, and no key twice.
 */
#include <stdint.h>
#include <string.h>

#include "base/toml.h"
#include "fuzz.h"

static void walk(const struct toml *t, size_t lines, unsigned depth)
{
    size_t n = 0;

    CHECK(depth < 2000 && t->line >= 1 && t->line <= lines);
    CHECK(t->type != TOML_STRING || t->text);
    for (const struct toml *c = t->first; c; c = c->next, n++) {
        CHECK((t->type == TOML_TABLE) == (c->key != NULL));
        CHECK(t->type != TOML_TABLE || toml_get(t, c->key) == c);
        CHECK(c->next || t->last == c);
        walk(c, lines, depth + 1);
    }
    CHECK(n == 0 || t->type >= TOML_ARRAY);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct arena a = ARENA_INIT;
    const struct toml *root;
    size_t lines = 1;
    struct err e;

    for (size_t i = 0; i < n; i++)
        lines += bytes[i] == '\n';
    if (toml_parse((const char *)bytes, n, &a, &root, &e))
        walk(root, lines, 0);
    else
        CHECK(strncmp(e.text, "line ", 5) == 0);
    arena_free(&a);
    return 0;
}
