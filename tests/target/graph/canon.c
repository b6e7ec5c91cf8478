/* SPDX-License-Identifier: MIT */
#include "canon.h"

#include <stdlib.h>
#include <string.h>

void canon_put(struct canon *c, unsigned value)
{
    if (c->count == CANON_MAX)
        abort();
    c->text[c->count++] = (unsigned char)value;
}

static struct canon_key key_of(const struct canon *c)
{
    struct canon_key k = {0x243f6a8885a308d3ull, 0x13198a2e03707344ull};

    for (size_t i = 0; i < c->count; i++) {
        k.first = (k.first ^ c->text[i]) * 0x9e3779b97f4a7c15ull;
        k.first ^= k.first >> 32;
        k.second = (k.second + c->text[i] + 1) * 0xd6e8feb86659fd93ull;
        k.second ^= k.second >> 31;
    }
    k.first += k.first == 0;
    return k;
}

static size_t find(const struct canon_set *s, struct canon_key k)
{
    size_t i = k.first & (s->size - 1);

    while (s->keys[i].first &&
           (s->keys[i].first != k.first || s->keys[i].second != k.second))
        i = (i + 1) & (s->size - 1);
    return i;
}

static void grow(struct canon_set *s)
{
    struct canon_set old = *s;

    s->size = old.size ? 2 * old.size : 256;
    s->keys = calloc(s->size, sizeof *s->keys);
    if (!s->keys)
        abort();
    for (size_t i = 0; i < old.size; i++) {
        if (old.keys[i].first)
            s->keys[find(s, old.keys[i])] = old.keys[i];
    }
    free(old.keys);
}

static bool add_key(struct canon_set *s, struct canon_key k)
{
    size_t at;

    if (2 * (s->count + 1) > s->size)
        grow(s);
    at = find(s, k);
    if (s->keys[at].first)
        return false;
    s->keys[at] = k;
    s->count++;
    return true;
}

bool canon_add(struct canon_set *s, const struct canon *c)
{
    return add_key(s, key_of(c));
}

size_t canon_take(struct canon_set *s, struct canon_set *those)
{
    size_t had = 0;

    for (size_t i = 0; i < those->size; i++)
        had += those->keys[i].first && !add_key(s, those->keys[i]);
    canon_free(those);
    return had;
}

bool canon_has(const struct canon_set *s, const struct canon *c)
{
    return s->size && s->keys[find(s, key_of(c))].first;
}

bool canon_covers(const struct canon_set *s, const struct canon_set *those)
{
    for (size_t i = 0; i < those->size; i++) {
        if (those->keys[i].first &&
            (!s->size || !s->keys[find(s, those->keys[i])].first))
            return false;
    }
    return true;
}

void canon_free(struct canon_set *s)
{
    free(s->keys);
    memset(s, 0, sizeof *s);
}
