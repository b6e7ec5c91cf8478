/* SPDX-License-Identifier: MIT
 *
 * The models as values: the list, the recipes of the table in the design, and
 * which access may overtake which.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"

static void models_are_listed_strongest_first(void **state)
{
    (void)state;
    assert_ptr_equal(model_all[0], &model_sc);
    assert_ptr_equal(model_all[1], &model_tso);
    assert_ptr_equal(model_all[2], &model_pso);
    assert_ptr_equal(model_all[3], &model_pslo);
    assert_null(model_all[4]);
}

static void a_model_is_found_by_its_name(void **state)
{
    (void)state;
    for (const struct model *const *m = model_all; *m; m++)
        assert_ptr_equal(model_find((*m)->name), *m);
    assert_null(model_find("relaxed"));
    assert_null(model_find(""));
    assert_null(model_find("TSO"));
}

static bool may(const struct model *m, enum event_kind earlier,
                enum event_kind later, unsigned between)
{
    struct event a = {.kind = (uint8_t)earlier};
    struct event b = {.kind = (uint8_t)later};

    return model_may_overtake(m, &a, &b, between);
}

/* One letter a model, SC TSO PSO PSLO: 'a' allowed, '.' not. */
static void expect(enum event_kind earlier, enum event_kind later,
                   unsigned between, const char *verdicts)
{
    for (int i = 0; i < 4; i++)
        assert_int_equal(may(model_all[i], earlier, later, between),
                         verdicts[i] == 'a');
}

static void weaker_models_let_more_overtake(void **state)
{
    (void)state;
    expect(EV_STORE, EV_LOAD, 0, ".aaa");
    expect(EV_STORE, EV_STORE, 0, "..aa");
    expect(EV_STORE, EV_RMW, 0, "..aa");
    expect(EV_LOAD, EV_LOAD, 0, "...a");
    expect(EV_RMW, EV_LOAD, 0, "...a");
    expect(EV_LOAD, EV_STORE, 0, "....");
    expect(EV_LOAD, EV_RMW, 0, "....");
    expect(EV_RMW, EV_RMW, 0, "....");
}

static void a_fence_stops_what_it_names_and_nothing_else(void **state)
{
    (void)state;
    expect(EV_STORE, EV_LOAD, FENCE_SL, "....");
    expect(EV_STORE, EV_LOAD, FENCE_SS | FENCE_LL | FENCE_LS, ".aaa");
    expect(EV_STORE, EV_STORE, FENCE_SS, "....");
    expect(EV_STORE, EV_STORE, FENCE_SL | FENCE_LL | FENCE_LS, "..aa");
    expect(EV_LOAD, EV_LOAD, FENCE_LL, "....");
    expect(EV_LOAD, EV_LOAD, FENCE_SS | FENCE_SL | FENCE_LS, "...a");
}

static void loads_move_down_on_relaxed_only(void **state)
{
    (void)state;
    assert_true(may(&model_relaxed, EV_LOAD, EV_STORE, 0));
    assert_true(may(&model_relaxed, EV_LOAD, EV_STORE, FENCE_SS | FENCE_LL));
    assert_false(may(&model_relaxed, EV_LOAD, EV_STORE, FENCE_LS));
    assert_false(may(&model_relaxed, EV_LOAD, EV_STORE, FENCE_FULL));
    assert_true(may(&model_relaxed, EV_STORE, EV_STORE, FENCE_LS));
    assert_true(may(&model_relaxed, EV_LOAD, EV_LOAD, FENCE_LS));
}

static void a_full_fence_stops_everything(void **state)
{
    static const enum event_kind kinds[] = {EV_LOAD, EV_STORE, EV_RMW};

    (void)state;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            expect(kinds[i], kinds[j], FENCE_FULL, "....");
}

static void orders_map_to_the_rows_of_the_table(void **state)
{
    (void)state;
    assert_int_equal(model_construct_of(EV_LOAD, ORDER_PLAIN), C_LOAD);
    assert_int_equal(model_construct_of(EV_LOAD, ORDER_VOLATILE), C_LOAD);
    assert_int_equal(model_construct_of(EV_LOAD, ORDER_RELAXED), C_LOAD);
    assert_int_equal(model_construct_of(EV_LOAD, ORDER_SEQ_CST),
                     C_LOAD_ACQUIRE);
    assert_int_equal(model_construct_of(EV_STORE, ORDER_RELAXED), C_STORE);
    assert_int_equal(model_construct_of(EV_STORE, ORDER_RELEASE),
                     C_STORE_RELEASE);
    assert_int_equal(model_construct_of(EV_STORE, ORDER_SEQ_CST),
                     C_STORE_SEQ_CST);
    assert_int_equal(model_construct_of(EV_RMW, ORDER_ACQ_REL), C_RMW_ACQ_REL);
    assert_int_equal(model_construct_of(EV_CAS_FAIL, ORDER_RELAXED),
                     C_CAS_FAIL_RELAXED);
    assert_int_equal(model_construct_of(EV_CAS_FAIL, ORDER_SEQ_CST),
                     C_CAS_FAIL_ACQUIRE);
    assert_int_equal(model_construct_of(EV_FENCE, ORDER_RELEASE),
                     C_FENCE_RELEASE);
}

/* A release orders stores before it and an acquire orders loads after it
 * wherever the model could reorder them: what C11 promises. */
/* Where terms say what is kept, nobody may take an order for granted. */
static void models_by_axioms_keep_nothing_else(void **state)
{
    (void)state;
    for (size_t i = 0; model_stated[i]; i++) {
        const struct model *m = model_stated[i];

        if (m->by_axioms && m->axioms->mappings[0] &&
            !(m->delays_stores && m->reorders_stores && m->reorders_loads))
            fail_msg("%s takes an order for granted", m->name);
    }
}

static void every_model_keeps_what_c11_promises(void **state)
{
    (void)state;
    for (const struct model *const *p = model_all; *p; p++) {
        const struct model *m = *p;
        unsigned stores = FENCE_SS | FENCE_FULL;
        unsigned loads = FENCE_LL | FENCE_FULL;

        if (m->reorders_stores) {
            assert_true(m->recipe[C_STORE_RELEASE].before & stores);
            assert_true(m->recipe[C_RMW_RELEASE].before & stores);
            assert_true(m->recipe[C_RMW_ACQ_REL].before & stores);
            assert_true(m->recipe[C_UNLOCK].before & stores);
            assert_true(m->recipe[C_POST].before & stores);
            assert_true(m->recipe[C_FENCE_RELEASE].before & stores);
        }
        if (m->reorders_loads) {
            assert_true(m->recipe[C_LOAD_ACQUIRE].after & loads);
            assert_true(m->recipe[C_RMW_ACQUIRE].after & loads);
            assert_true(m->recipe[C_CAS_FAIL_ACQUIRE].after & loads);
            assert_true(m->recipe[C_LOCK].after & loads);
            assert_true(m->recipe[C_WAIT].after & loads);
            assert_true(m->recipe[C_FENCE_ACQUIRE].before & loads);
        }
        if (m->delays_stores) {
            assert_true(m->recipe[C_STORE_SEQ_CST].after & FENCE_FULL);
            assert_true(m->recipe[C_FENCE_SEQ_CST].before & FENCE_FULL);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_listed_strongest_first),
        cmocka_unit_test(a_model_is_found_by_its_name),
        cmocka_unit_test(weaker_models_let_more_overtake),
        cmocka_unit_test(a_fence_stops_what_it_names_and_nothing_else),
        cmocka_unit_test(loads_move_down_on_relaxed_only),
        cmocka_unit_test(a_full_fence_stops_everything),
        cmocka_unit_test(orders_map_to_the_rows_of_the_table),
        cmocka_unit_test(models_by_axioms_keep_nothing_else),
        cmocka_unit_test(every_model_keeps_what_c11_promises),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
