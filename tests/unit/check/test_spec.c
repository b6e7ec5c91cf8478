/* SPDX-License-Identifier: MIT
 *
 * Kept specifications: found again by content, whatever the fences; and
 * reference implementations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/spec.h"

/* e: observe("e", choose(n)), with a fence between if there is one. */
struct world {
    struct lsl_value constants[1];
    struct lsl_inst insts[3];
    struct lsl_block block;
    struct lsl_proc proc;
    struct lsl_operation operation;
    struct fencer_site nowhere;
    struct lsl_object none;
    struct lsl_program program;
};

static void build(struct world *w, uint64_t n, unsigned fences,
                  const char *name, const char *label)
{
    unsigned k = 0;

    memset(w, 0, sizeof(*w));
    w->constants[0] = LSL_INT(n);
    w->insts[k++] = (struct lsl_inst){.op = LSL_CHOOSE, .width = 32, .dst = 1};
    if (fences)
        w->insts[k++] = (struct lsl_inst){
            .op = LSL_FENCE, .fences = (uint8_t)fences, .dst = LSL_NONE};
    w->insts[k++] = (struct lsl_inst){
        .op = LSL_OBSERVE, .a = 1, .dst = LSL_NONE, .text = label};
    w->block = (struct lsl_block){.count = k,
                                  .cond = LSL_NONE,
                                  .then = LSL_NONE,
                                  .result = LSL_NONE,
                                  .loop = LSL_NONE};
    w->proc = (struct lsl_proc){.name = name,
                                .reg_count = 2,
                                .constant_count = 1,
                                .constants = w->constants,
                                .insts = w->insts,
                                .blocks = &w->block,
                                .block_count = 1,
                                .defined = true};
    w->operation = (struct lsl_operation){name, 0};
    w->nowhere = (struct fencer_site){.file = "", .dir = ""};
    w->none.proc = LSL_NONE;
    w->program = (struct lsl_program){.procs = &w->proc,
                                      .proc_count = 1,
                                      .objects = &w->none,
                                      .object_count = 1,
                                      .sites = &w->nowhere,
                                      .site_count = 1,
                                      .operations = &w->operation,
                                      .operation_count = 1,
                                      .init = LSL_NONE,
                                      .main = LSL_NONE,
                                      .source = "w.c"};
}

struct fixture {
    struct arena arena;
    struct err err;
    struct spec_store *store;
    struct observation_set set;
    char file[64];
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    snprintf(f->file, sizeof(f->file), "test_spec.%d.db", (int)getpid());
    unlink(f->file);
    assert_true(spec_open(f->file, &f->store, &f->err));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    spec_close(f->store);
    arena_free(&f->arena);
    unlink(f->file);
    free(f);
    return 0;
}

/* Mines that test; was it kept? */
static bool mine(struct fixture *f, const struct world *w, const char *notation)
{
    struct serial_options options = {.max = 1000};
    struct serial_failure failure;
    struct test t;
    bool kept;

    assert_true(lsl_parse_test(&w->program, notation, &f->arena, &t, &f->err));
    assert_int_equal(spec_mine(f->store, &w->program, &t, &options, &f->arena,
                               &f->set, &kept, &failure, &f->err),
                     SERIAL_DONE);
    return kept;
}

static void what_was_mined_is_kept(void **state)
{
    struct fixture *f = *state;
    struct world w;

    build(&w, 3, 0, "e", "e");
    assert_false(mine(f, &w, "( e | e )"));
    assert_int_equal(f->set.count, 9);
    spec_close(f->store);
    assert_true(spec_open(f->file, &f->store, &f->err));
    assert_true(mine(f, &w, "( e | e )"));
    assert_int_equal(f->set.count, 9);
    assert_int_equal(f->set.width, 2);
    assert_string_equal(f->set.labels[1], "e");
    assert_int_equal(f->set.threads[1], 2);
    assert_int_equal(f->set.values[17], 2);
}

static void fences_do_not_matter(void **state)
{
    struct fixture *f = *state;
    struct world w;

    build(&w, 3, 0, "e", "e");
    assert_false(mine(f, &w, "( e | e )"));
    build(&w, 3, 4, "e", "e");
    assert_true(mine(f, &w, "( e | e )"));
}

static void everything_else_does(void **state)
{
    struct fixture *f = *state;
    struct world w;

    build(&w, 3, 0, "e", "e");
    assert_false(mine(f, &w, "( e | e )"));
    assert_false(mine(f, &w, "e ( e )"));
    assert_false(mine(f, &w, "( ee )"));
    build(&w, 2, 0, "e", "e");
    assert_false(mine(f, &w, "( e | e )"));
    assert_int_equal(f->set.count, 4);
    build(&w, 3, 0, "e", "f");
    assert_false(mine(f, &w, "( e | e )"));
}

static void too_many_kept_are_too_many(void **state)
{
    struct fixture *f = *state;
    struct serial_options options = {.max = 8};
    struct serial_failure failure;
    struct world w;
    struct test t;
    bool kept;

    build(&w, 3, 0, "e", "e");
    assert_false(mine(f, &w, "( e | e )"));
    assert_true(
        lsl_parse_test(&w.program, "( e | e )", &f->arena, &t, &f->err));
    assert_int_equal(spec_mine(f->store, &w.program, &t, &options, &f->arena,
                               &f->set, &kept, &failure, &f->err),
                     SERIAL_TOO_MANY);
}

static void a_reference_has_the_same_operations_and_labels(void **state)
{
    struct fixture *f = *state;
    struct world w, reference;
    struct test t;

    build(&w, 3, 0, "e", "e");
    assert_true(
        lsl_parse_test(&w.program, "( e | e )", &f->arena, &t, &f->err));
    build(&reference, 2, 0, "e", "e");
    reference.program.source = "ref.c";
    assert_true(spec_fits(&w.program, &t, &reference.program, &f->err));
    build(&reference, 2, 0, "e", "x");
    assert_false(spec_fits(&w.program, &t, &reference.program, &f->err));
    assert_string_equal(f->err.text,
                        "w.c observes \"e\" where its reference observes "
                        "\"x\"");
    build(&reference, 2, 0, "d", "e");
    assert_false(spec_fits(&w.program, &t, &reference.program, &f->err));
    assert_string_equal(f->err.text,
                        "w.c: there is no FENCER_OP(e), which the test needs");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(what_was_mined_is_kept),
        CASE(fences_do_not_matter),
        CASE(everything_else_does),
        CASE(too_many_kept_are_too_many),
        CASE(a_reference_has_the_same_operations_and_labels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
