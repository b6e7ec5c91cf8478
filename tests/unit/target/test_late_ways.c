/* SPDX-License-Identifier: MIT
 *
 * How values come about (graph/thread_order_ways.c).
 */
#include "graph/thread_order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct thread_orders *orders;

static int set_up(void **state)
{
    (void)state;
    orders = thread_orders_new();
    thread_orders_begin_late(orders, true);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    thread_orders_free(orders);
    return 0;
}

/* The write of that site, with that value. */
static unsigned write_of(uint32_t site, uint64_t value)
{
    struct late_write w = {.thread = 1, .site = site, .value = value};

    return thread_orders_write(orders, &w);
}

/* One way, by those writes; 0 ends them. */
static struct late_ways way_by(const uint32_t *sites, uint64_t value)
{
    struct late_ways ways;

    late_ways_begin(&ways);
    for (; *sites; sites++)
        late_ways_add(orders, &ways, write_of(*sites, value), false);
    return ways;
}

#define WAY(value, ...) way_by((uint32_t[]){__VA_ARGS__, 0}, value)

static bool has(const struct late_ways *ways, unsigned way, unsigned write)
{
    return ways->way[way].word[write / 64] >> write % 64 & 1;
}

static void a_write_has_one_number(void **state)
{
    (void)state;
    assert_int_equal(write_of(1, 5), write_of(1, 5));
    assert_int_not_equal(write_of(1, 5), write_of(1, 6));
    assert_int_not_equal(write_of(1, 5), write_of(2, 5));
    for (uint64_t v = 0; v < LATE_UNKNOWN; v++)
        write_of(3, v);
    assert_int_equal(write_of(4, 5), LATE_UNKNOWN);
    thread_orders_begin_late(orders, false);
    assert_int_equal(write_of(1, 5), LATE_UNKNOWN);
}

static void a_write_does_not_come_of_itself(void **state)
{
    struct late_ways ways = WAY(5, 1, 2), more = WAY(5, 3);

    (void)state;
    late_ways_unite(orders, &ways, &more);
    assert_int_equal(ways.count, 2);
    late_ways_add(orders, &ways, write_of(1, 5), true);
    assert_int_equal(ways.count, 1);
    assert_true(has(&ways, 0, write_of(1, 5)));
    assert_true(has(&ways, 0, write_of(3, 5)));
    assert_false(has(&ways, 0, write_of(2, 5)));
    late_ways_add(orders, &ways, write_of(3, 6), true);
    assert_int_equal(ways.count, 0);
}

static void what_was_written_before_may_be_met_again(void **state)
{
    struct late_ways ways = WAY(5, 1, 2);

    (void)state;
    late_ways_add(orders, &ways, write_of(1, 5), false);
    assert_int_equal(ways.count, 1);
    late_ways_add(orders, &ways, write_of(1, 6), false);
    assert_int_equal(ways.count, 0);
}

static void of_two_the_smaller_is_kept(void **state)
{
    struct late_ways ways = WAY(5, 1, 2), small = WAY(5, 1), other = WAY(5, 3);
    struct late_ways large = WAY(5, 3, 4);

    (void)state;
    late_ways_unite(orders, &ways, &other);
    late_ways_unite(orders, &ways, &small);
    late_ways_unite(orders, &ways, &large);
    assert_int_equal(ways.count, 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_false(has(&ways, i, write_of(2, 5)));
        assert_false(has(&ways, i, write_of(4, 5)));
    }
}

static void ways_with_a_write_of_two_values_do_not_go_together(void **state)
{
    struct late_ways ways = WAY(5, 1), more = WAY(6, 1), other = WAY(6, 2);

    (void)state;
    late_ways_unite(orders, &more, &other);
    late_ways_join(orders, &ways, &more);
    assert_int_equal(ways.count, 1);
    assert_true(has(&ways, 0, write_of(1, 5)));
    assert_true(has(&ways, 0, write_of(2, 6)));
}

static void ways_that_share_a_write_go_together(void **state)
{
    struct late_ways ways = WAY(5, 1, 2), more = WAY(5, 1, 3);

    (void)state;
    late_ways_join(orders, &ways, &more);
    assert_int_equal(ways.count, 1);
    for (uint32_t site = 1; site <= 3; site++)
        assert_true(has(&ways, 0, write_of(site, 5)));
}

static void of_too_many_what_all_have_is_kept(void **state)
{
    struct late_ways ways = {.count = 0};

    (void)state;
    for (uint32_t site = 2; site < 3 + LATE_WAYS_MAX; site++) {
        struct late_ways more = WAY(5, 1, site);

        late_ways_unite(orders, &ways, &more);
    }
    assert_int_equal(ways.count, 1);
    assert_true(has(&ways, 0, write_of(1, 5)));
    for (uint32_t site = 2; site < 3 + LATE_WAYS_MAX; site++)
        assert_false(has(&ways, 0, write_of(site, 5)));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_write_has_one_number),
        TEST(a_write_does_not_come_of_itself),
        TEST(what_was_written_before_may_be_met_again),
        TEST(of_two_the_smaller_is_kept),
        TEST(ways_with_a_write_of_two_values_do_not_go_together),
        TEST(ways_that_share_a_write_go_together),
        TEST(of_too_many_what_all_have_is_kept)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
