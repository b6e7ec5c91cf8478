/* SPDX-License-Identifier: MIT
 *
 * Lists that grow, the index over one, and maps.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/map.h"
#include "base/vec.h"

struct point {
    int x, y;
};

struct owner {
    VEC(struct point); /* the owner is a list */
    VEC(uint64_t) others;
};

static void what_is_pushed_stays(void **unused)
{
    struct owner o = {0};

    (void)unused;
    for (int i = 0; i < 1000; i++) {
        VEC_PUSH(&o, {i, -i});
        VEC_PUSH(&o.others, (uint64_t)i * i);
    }
    assert_int_equal(o.count, 1000);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(VEC_AT(&o, i).y, -i);
        assert_int_equal(o.others.list[i], i * i);
    }
    assert_int_equal(VEC_LAST(&o).x, 999);
    assert_int_equal(VEC_POP(&o.others), 999 * 999);
    assert_int_equal(o.others.count, 999);
    VEC_FREE(&o);
    VEC_FREE(&o.others);
    assert_null(o.list);
    assert_int_equal(o.room, 0);
}

/* What a value is computed from may be in the list, and the computing may
 * move the list. */
static int add_another(struct owner *o)
{
    VEC_PUSH(o, {7, 7});
    return (int)o->count;
}

static void a_value_may_come_from_the_list(void **unused)
{
    struct owner o = {0};

    (void)unused;
    VEC_PUSH(&o, {1, 2});
    for (int i = 0; i < 100; i++)
        VEC_PUSH(&o, o.list[0]);
    assert_int_equal(o.list[100].y, 2);
    for (int i = 0; i < 100; i++)
        VEC_PUSH(&o, {add_another(&o), 3});
    assert_int_equal(o.count, 301);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(o.list[101 + 2 * i].x, 7);
        assert_int_equal(o.list[102 + 2 * i].x, 102 + 2 * i);
    }
    VEC_FREE(&o);
}

static void what_is_reached_is_zeroed(void **unused)
{
    VEC(uint32_t) v = {0};

    (void)unused;
    for (uint32_t i = 0; i < 50; i++)
        VEC_PUSH(&v, 0xffffffff);
    v.count = 3;
    *VEC_REACH(&v, 40) = 5;
    assert_int_equal(v.count, 41);
    assert_int_equal(v.list[2], 0xffffffff);
    for (uint32_t i = 3; i < 40; i++)
        assert_int_equal(v.list[i], 0);
    assert_int_equal(*VEC_REACH(&v, 2), 0xffffffff);
    assert_int_equal(v.count, 41);
    v.list[40] = 9;
    VEC_CLEAR(&v);
    assert_int_equal(*VEC_ADD(&v), 0);
    assert_int_equal(v.count, 1);
    VEC_FREE(&v);
}

static void a_list_may_live_in_an_arena(void **unused)
{
    struct arena a = ARENA_INIT;
    VEC(int) v = {0};

    (void)unused;
    for (int i = 0; i < 5000; i++)
        VEC_PUSH_IN(&a, &v, i);
    *VEC_REACH_IN(&a, &v, 6000) = 1;
    for (int i = 0; i < 5000; i++)
        assert_int_equal(v.list[i], i);
    assert_int_equal(v.list[5999], 0);
    arena_free(&a);
}

/* Does this end the tool, as what could not do its work? */
static bool breaks(void (*f)(void))
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        f();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 3;
}

static void read_beyond(void)
{
    VEC(int) v = {0};

    VEC_PUSH(&v, 1);
    VEC_AT(&v, 1) = 0;
}

static void pop_nothing(void)
{
    VEC(int) v = {0};

    VEC_POP(&v) = 0;
}

static void want_too_much(void)
{
    VEC(struct point) v = {0};

    /* So many that their bytes would be few again. */
    VEC_FIT(&v, SIZE_MAX / sizeof(struct point) + 2);
}

static void mistakes_end_the_tool(void **unused)
{
    (void)unused;
    assert_true(breaks(read_beyond));
    assert_true(breaks(pop_nothing));
    assert_true(breaks(want_too_much));
}

static bool same_x(const void *owner, uint32_t number, const void *key)
{
    const struct owner *o = owner;

    return VEC_AT(o, number).x == *(const int *)key;
}

static void equal_things_have_one_number(void **unused)
{
    struct owner o = {0};
    struct index x = {0};

    (void)unused;
    assert_int_equal(index_find(&x, 0, same_x, &o, &(int){0}), INDEX_NONE);
    for (int i = 0; i < 3000; i++) {
        int key = i % 1000;
        /* Three keys share a hash. */
        uint32_t n = index_put(&x, (uint64_t)key / 3 << 40, same_x, &o, &key);

        if (n == o.count)
            VEC_PUSH(&o, {key, i});
        assert_int_equal(n, key);
    }
    assert_int_equal(o.count, 1000);
    assert_int_equal(x.count, 1000);
    assert_int_equal(index_find(&x, 334ull << 40, same_x, &o, &(int){1000}),
                     INDEX_NONE);
    index_clear(&x);
    assert_int_equal(index_find(&x, 0, same_x, &o, &(int){0}), INDEX_NONE);
    assert_int_equal(index_put(&x, 1, same_x, &o, &(int){5}), 0);
    index_free(&x);
    VEC_FREE(&o);
}

static void a_map_keeps_the_order_of_its_keys(void **unused)
{
    struct map m = {0};

    (void)unused;
    assert_null(map_get(&m, 0));
    for (uint64_t i = 0; i < 2000; i++)
        *map_put(&m, i * 0x10001 << 44 | i) += i + 1;
    for (uint64_t i = 0; i < 2000; i++)
        *map_put(&m, i * 0x10001 << 44 | i) += 1;
    assert_int_equal(m.count, 2000);
    for (uint64_t i = 0; i < 2000; i++) {
        assert_int_equal(m.list[i].key, i * 0x10001 << 44 | i);
        assert_int_equal(m.list[i].value, i + 2);
    }
    assert_null(map_get(&m, 3));
    map_free(&m);
    assert_null(map_get(&m, 0));
}

static void texts_are_compared_and_copied(void **unused)
{
    struct map m = {0};
    char text[20];

    (void)unused;
    assert_null(map_get_text(&m, ""));
    for (unsigned i = 0; i < 500; i++) {
        snprintf(text, sizeof(text), "key%u", i);
        *map_put_text(&m, text) = i;
    }
    assert_int_equal(m.count, 500);
    assert_int_equal(*map_get_text(&m, "key77"), 77);
    assert_int_equal(*map_put_text(&m, "key499"), 499);
    assert_null(map_get_text(&m, "key500"));
    assert_int_equal(*map_put_text(&m, ""), 0);
    assert_non_null(map_get_text(&m, ""));
    map_free(&m);
}

static void an_element_is_put_between_others(void **unused)
{
    VEC(int) v = {0};

    (void)unused;
    for (int i = 0; i < 100; i++)
        VEC_INSERT(&v, v.count / 2, i);
    assert_int_equal(v.count, 100);
    for (size_t i = 0; i < 50; i++) {
        assert_int_equal(VEC_AT(&v, i), 2 * (int)i + 1);
        assert_int_equal(VEC_AT(&v, 99 - i), 2 * (int)i);
    }
    VEC_FREE(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_element_is_put_between_others),
        cmocka_unit_test(what_is_pushed_stays),
        cmocka_unit_test(a_value_may_come_from_the_list),
        cmocka_unit_test(what_is_reached_is_zeroed),
        cmocka_unit_test(a_list_may_live_in_an_arena),
        cmocka_unit_test(mistakes_end_the_tool),
        cmocka_unit_test(equal_things_have_one_number),
        cmocka_unit_test(a_map_keeps_the_order_of_its_keys),
        cmocka_unit_test(texts_are_compared_and_copied),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
