/* SPDX-License-Identifier: MIT
 *
 * The relation language: what is read, and what is refused where.
 */
#include "model/relation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"

static struct relation_tree tree;
static size_t at;

static const struct relation_node *whole(const char *text)
{
    assert_true(relation_read(text, NULL, &tree, &at));
    return &tree.nodes[tree.count - 1];
}

static void composition_binds_tighter_than_union(void **unused)
{
    const struct relation_node *n = whole("po;rf|co");

    (void)unused;
    assert_int_equal(n->op, RELATION_UNION);
    assert_int_equal(tree.nodes[n->a].op, RELATION_THEN);
}

static void intersection_binds_tighter_than_composition(void **unused)
{
    const struct relation_node *n = whole("po;rf & co");

    (void)unused;
    assert_int_equal(n->op, RELATION_THEN);
    assert_int_equal(tree.nodes[n->b].op, RELATION_BOTH);
}

static void names_are_whole_words(void **unused)
{
    (void)unused;
    assert_int_equal(whole("po-loc")->number, BASE_PO_LOC);
    assert_int_equal(whole("rfe")->number, BASE_RFE);
    assert_int_equal(whole("rf^-1")->op, RELATION_INVERSE);
}

static void sets_have_their_own_operators(void **unused)
{
    const struct relation_node *n = whole("[R \\ NoRet];po");
    const struct relation_node *set = &tree.nodes[tree.nodes[n->a].a];

    (void)unused;
    assert_int_equal(set->op, RELATION_WITHOUT);
    assert_int_equal(tree.nodes[set->b].number, MARK_NUMBER_NORET);
}

static void
what_is_not_of_the_language_is_refused_where_it_stands(void **unused)
{
    static const char *const wrong[] = {"",       "po;",  "[R",  "po po",
                                        "po|&rf", "[po]", "(po", "qo"};

    (void)unused;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        if (relation_read(wrong[i], NULL, &tree, &at))
            fail_msg("'%s' is read", wrong[i]);
    assert_false(relation_read("po;xx", NULL, &tree, &at));
    assert_int_equal(at, 3);
}

static void what_is_too_deep_or_too_long_is_refused(void **unused)
{
    char text[800];

    (void)unused;
    memset(text, '(', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    assert_false(relation_read(text, NULL, &tree, &at));
    for (size_t i = 0; i + 3 < sizeof(text); i += 3)
        memcpy(text + i, "po|", 4);
    assert_false(relation_read(text, NULL, &tree, &at));
}

static bool has_rf(const struct relation_tree *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->nodes[i].op == RELATION_BASE && t->nodes[i].number >= BASE_RF)
            return true;
    return false;
}

static void every_text_of_every_model_is_read(void **unused)
{
    (void)unused;
    for (const struct model *const *m = model_stated; *m; m++) {
        const struct model_axioms *x = (*m)->axioms;

        assert_non_null(x->stands);
        for (const char *const *term = x->ppo; *term; term++) {
            assert_true(relation_read(*term, NULL, &tree, &at));
            assert_false(has_rf(&tree)); /* of one thread only */
        }
        for (const struct relation_let *l = x->lets; l && l->name; l++)
            assert_true(relation_read(l->text, x->lets, &tree, &at));
        for (const struct relation_axiom *a = x->axioms; a && a->name; a++)
            assert_true(relation_read(a->text, x->lets, &tree, &at));
    }
}

static void every_mapping_has_every_row(void **unused)
{
    (void)unused;
    for (const struct model *const *m = model_stated; *m; m++) {
        const struct model_mapping *const *list = (*m)->axioms->mappings;

        for (size_t i = 0; i < MODEL_MAPPINGS_MAX && list[i]; i++)
            for (size_t j = 0; j < MAPPED_COUNT; j++)
                assert_non_null(list[i]->rows[j].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(composition_binds_tighter_than_union),
        cmocka_unit_test(intersection_binds_tighter_than_composition),
        cmocka_unit_test(names_are_whole_words),
        cmocka_unit_test(sets_have_their_own_operators),
        cmocka_unit_test(
            what_is_not_of_the_language_is_refused_where_it_stands),
        cmocka_unit_test(what_is_too_deep_or_too_long_is_refused),
        cmocka_unit_test(every_text_of_every_model_is_read),
        cmocka_unit_test(every_mapping_has_every_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
