/* SPDX-License-Identifier: MIT
 *
 * Any bytes as calls of a list, an index and two maps, each compared with an
 * array that is searched from the front.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "fuzz.h"

#define MODEL_MAX 4096

struct model {
    uint64_t keys[MODEL_MAX], values[MODEL_MAX];
    size_t count;
};

struct lists {
    VEC(uint64_t) list;
    struct index index; /* of the list below */
    VEC(uint64_t) indexed;
    struct map numbers, texts;
    struct model list_model, index_model, map_model;
};

static size_t find_key(const struct model *m, uint64_t key)
{
    size_t i = 0;

    while (i < m->count && m->keys[i] != key)
        i++;
    return i;
}

static size_t put_key(struct model *m, uint64_t key)
{
    size_t i = find_key(m, key);

    if (i == m->count) {
        CHECK(i < MODEL_MAX);
        m->keys[m->count++] = key;
        m->values[i] = 0;
    }
    return i;
}

static void compare_lists(const struct lists *l)
{
    CHECK(l->list.count == l->list_model.count);
    CHECK(l->list.count <= l->list.room);
    for (size_t i = 0; i < l->list.count; i++)
        CHECK(l->list.list[i] == l->list_model.keys[i]);
    CHECK(l->numbers.count == l->map_model.count);
    CHECK(l->texts.count == l->map_model.count);
    for (size_t i = 0; i < l->numbers.count; i++) {
        CHECK(l->numbers.list[i].key == l->map_model.keys[i]);
        CHECK(l->numbers.list[i].value == l->map_model.values[i]);
        CHECK(l->texts.list[i].value == l->map_model.values[i]);
    }
}

static void change_list(struct lists *l, unsigned how, uint64_t number)
{
    struct model *m = &l->list_model;

    switch (how % 6) {
    case 0:
    case 1:
        VEC_PUSH(&l->list, number);
        m->keys[m->count++] = number;
        break;
    case 2:
        CHECK(*VEC_ADD(&l->list) == 0);
        m->keys[m->count++] = 0;
        break;
    case 3: /* at most 20 more */
        number = m->count + number % 20;
        *VEC_REACH(&l->list, number) = number;
        while (m->count <= number)
            m->keys[m->count++] = 0;
        m->keys[number] = number;
        break;
    case 4:
        if (m->count)
            CHECK(VEC_POP(&l->list) == m->keys[--m->count]);
        break;
    default:
        if (number % 16 == 0) {
            VEC_CLEAR(&l->list);
            m->count = 0;
        }
    }
}

static bool same(const void *owner, uint32_t number, const void *key)
{
    const struct lists *l = owner;

    return VEC_AT(&l->indexed, number) == *(const uint64_t *)key;
}

/* With hashes that are equal for many: the keys decide. */
static void change_index(struct lists *l, unsigned how, uint64_t number)
{
    uint64_t hash = number % 50;
    size_t expected = find_key(&l->index_model, number);
    uint32_t n = index_find(&l->index, hash, same, l, &number);

    CHECK(n == INDEX_NONE ? expected == l->index_model.count : n == expected);
    if (how % 2 == 0)
        return;
    n = index_put(&l->index, hash, same, l, &number);
    CHECK(n == put_key(&l->index_model, number));
    if (n == l->indexed.count)
        VEC_PUSH(&l->indexed, number);
    CHECK(l->index.count == l->index_model.count);
}

static void change_maps(struct lists *l, unsigned how, uint64_t number)
{
    struct model *m = &l->map_model;
    size_t i = find_key(m, number);
    char text[24];

    snprintf(text, sizeof(text), "%llx", (unsigned long long)number);
    CHECK((map_get(&l->numbers, number) != NULL) == (i < m->count));
    CHECK((map_get_text(&l->texts, text) != NULL) == (i < m->count));
    if (how % 2 == 0)
        return;
    m->values[put_key(m, number)] += how;
    *map_put(&l->numbers, number) += how;
    *map_put_text(&l->texts, text) += how;
    CHECK(*map_get(&l->numbers, number) == m->values[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static struct lists l;

    memset(&l, 0, sizeof(l));
    for (size_t i = 0; i + 3 <= n && i < 3 * 200; i += 3) {
        uint64_t number = bytes[i + 1] | (uint64_t)bytes[i + 2] << 60;

        if (bytes[i] % 3 == 0)
            change_list(&l, bytes[i] / 3, number);
        else if (bytes[i] % 3 == 1)
            change_index(&l, bytes[i] / 3, number);
        else
            change_maps(&l, bytes[i] / 3, number);
        compare_lists(&l);
    }
    VEC_FREE(&l.list);
    VEC_FREE(&l.indexed);
    index_free(&l.index);
    map_free(&l.numbers);
    map_free(&l.texts);
    return 0;
}
