/* SPDX-License-Identifier: MIT
 *
 * Initial values of variables, and the check of a program: each broken number
 * is noticed, and the words say which.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "lsl/lsl.h"

/* ---- Initial values ---- */

static struct lsl_cell cells[] = {
    {0, 4, {LSL_INTEGER, 0, 0x04030201}},
    {4, 2, {LSL_INTEGER, 0, 0xffee}},
    {8, 8, {LSL_POINTER, 2, 16}},
    {24, 4, {LSL_UNDEFINED, 0, 0}},
};
static const struct lsl_object variable = {
    .name = "v", .size = 32, .proc = LSL_NONE, .cells = cells, .cell_count = 4};

static void expect_number(uint64_t offset, unsigned size, uint64_t number)
{
    struct lsl_value v = lsl_initial(&variable, offset, size);

    assert_int_equal(v.kind, LSL_INTEGER);
    assert_int_equal(v.bits, number);
}

static void a_cell_is_what_it_holds(void **state)
{
    struct lsl_value v = lsl_initial(&variable, 8, 8);

    (void)state;
    expect_number(0, 4, 0x04030201);
    assert_int_equal(v.kind, LSL_POINTER);
    assert_int_equal(v.base, 2);
    assert_int_equal(v.bits, 16);
    assert_int_equal(lsl_initial(&variable, 24, 4).kind, LSL_UNDEFINED);
}

static void between_cells_is_zero(void **state)
{
    (void)state;
    expect_number(16, 8, 0);
    expect_number(6, 2, 0);
    expect_number(31, 1, 0);
}

static void integers_come_apart_and_together(void **state)
{
    (void)state;
    expect_number(1, 1, 0x02);
    expect_number(2, 2, 0x0403);
    expect_number(0, 8, 0x0000ffee04030201);
    expect_number(3, 2, 0xee04);
}

static void parts_of_pointers_mean_nothing(void **state)
{
    (void)state;
    assert_int_equal(lsl_initial(&variable, 8, 4).kind, LSL_UNDEFINED);
    assert_int_equal(lsl_initial(&variable, 12, 8).kind, LSL_UNDEFINED);
}

static void outside_is_undefined(void **state)
{
    (void)state;
    assert_int_equal(lsl_initial(&variable, 32, 1).kind, LSL_UNDEFINED);
    assert_int_equal(lsl_initial(&variable, 28, 8).kind, LSL_UNDEFINED);
    assert_int_equal(lsl_initial(&variable, UINT64_MAX, 1).kind, LSL_UNDEFINED);
}

/* ---- A program to break ----
 *
 *   block 0: %2 = load4 1            goto 1
 *   block 1: %3 = phi 0: %2, 2: %4   if %3 goto 2 else 3
 *   block 2: %4 = add %3, 1; f(%4)   goto 1
 *   block 3: return %3
 */
struct sample {
    struct lsl_value constants[1];
    struct lsl_inst insts[4];
    struct lsl_block blocks[4];
    struct lsl_loop loops[1];
    struct lsl_edge edges[2];
    uint32_t args[1];
    struct lsl_cell cells[2];
    struct lsl_proc procs[1];
    struct lsl_object objects[2];
    struct fencer_site sites[2];
    struct lsl_operation operations[1];
    struct lsl_program program;
};

static struct lsl_inst inst(enum lsl_op op, uint32_t dst, unsigned width,
                            uint32_t a, uint32_t b)
{
    return (struct lsl_inst){.op = (uint8_t)op,
                             .dst = dst,
                             .width = (uint8_t)width,
                             .a = a,
                             .b = b,
                             .c = LSL_NONE,
                             .proc = LSL_NONE};
}

static struct lsl_block block(uint32_t first, uint32_t count, uint32_t cond,
                              uint32_t then, uint32_t otherwise)
{
    return (struct lsl_block){first,    count,    cond, then, otherwise,
                              LSL_NONE, LSL_NONE, 0,    false};
}

static void make(struct sample *s)
{
    *s = (struct sample){0};
    s->constants[0] = (struct lsl_value){LSL_POINTER, 1, 0};
    s->insts[0] = inst(LSL_LOAD, 2, 32, 1, LSL_NONE);
    s->insts[0].size = 4;
    s->insts[1] = inst(LSL_PHI, 3, 32, LSL_NONE, LSL_NONE);
    s->insts[1].count = 2;
    s->insts[2] = inst(LSL_PURE, 4, 32, 3, 0);
    s->insts[3] = inst(LSL_CALL, LSL_NONE, 0, LSL_NONE, LSL_NONE);
    s->insts[3].proc = 0;
    s->insts[3].count = 1;
    s->blocks[0] = block(0, 1, LSL_NONE, 1, LSL_NONE);
    s->blocks[1] = block(1, 1, 3, 2, 3);
    s->blocks[2] = block(2, 2, LSL_NONE, 1, LSL_NONE);
    s->blocks[3] = block(4, 0, LSL_NONE, LSL_NONE, LSL_NONE);
    s->blocks[1].loop = s->blocks[2].loop = 0;
    s->blocks[3].result = 3;
    s->loops[0] = (struct lsl_loop){1, LSL_NONE, 2, 1};
    s->edges[0] = (struct lsl_edge){0, 2};
    s->edges[1] = (struct lsl_edge){2, 4};
    s->args[0] = 4;
    s->cells[0] = (struct lsl_cell){0, 4, LSL_INT(1)};
    s->cells[1] = (struct lsl_cell){8, 8, {LSL_POINTER, 1, 0}};
    s->procs[0] = (struct lsl_proc){.name = "f",
                                    .param_count = 1,
                                    .reg_count = 5,
                                    .constant_count = 1,
                                    .constants = s->constants,
                                    .insts = s->insts,
                                    .blocks = s->blocks,
                                    .block_count = 4,
                                    .loops = s->loops,
                                    .loop_count = 1,
                                    .args = s->args,
                                    .edges = s->edges,
                                    .defined = true};
    s->objects[1] = (struct lsl_object){.name = "v",
                                        .size = 16,
                                        .proc = LSL_NONE,
                                        .cells = s->cells,
                                        .cell_count = 2};
    s->operations[0] = (struct lsl_operation){"f", 0};
    s->program = (struct lsl_program){.procs = s->procs,
                                      .proc_count = 1,
                                      .objects = s->objects,
                                      .object_count = 2,
                                      .sites = s->sites,
                                      .site_count = 2,
                                      .operations = s->operations,
                                      .operation_count = 1,
                                      .init = LSL_NONE,
                                      .main = 0};
}

static void a_sound_program_passes(void **state)
{
    struct sample s;
    struct err e = {""};

    (void)state;
    make(&s);
    assert_true(lsl_check(&s.program, &e));
}

/* Makes the sample anew, breaks it, and wants to hear these words. */
#define BROKEN(change, words)                                                  \
    do {                                                                       \
        make(&s);                                                              \
        change;                                                                \
        assert_false(lsl_check(&s.program, &e));                               \
        if (!strstr(e.text, words))                                            \
            fail_msg("\"%s\" is not about \"%s\"", e.text, words);             \
    } while (0)

static void broken_instructions_are_noticed(void **state)
{
    struct sample s;
    struct err e;

    (void)state;
    BROKEN(s.insts[0].op = LSL_OP_COUNT, "an instruction that is none");
    BROKEN(s.insts[0].dst = 1, "no register to be assigned");
    BROKEN(s.insts[0].dst = 0, "no register to be assigned");
    BROKEN(s.insts[0].dst = 5, "no register to be assigned");
    BROKEN(s.insts[0].dst = s.insts[1].dst, "assigned twice");
    BROKEN(s.insts[0].width = 0, "without its width");
    BROKEN(s.insts[0].a = 5, "an operand that is no register");
    BROKEN(s.insts[0].size = 3, "an access of no size");
    BROKEN(s.insts[2].size = 4, "an access of no size");
    BROKEN(s.insts[0].site = 2, "a site that is not there");
    BROKEN(s.insts[3].proc = 1, "a procedure that is not there");
    BROKEN(s.insts[3].proc = LSL_NONE, "a call of nothing");
    BROKEN(s.insts[3].count = 0, "another number of arguments");
    BROKEN(s.args[0] = 5, "an argument that is no register");
    BROKEN(s.constants[0].base = 2, "an object that is not there");
}

static void broken_phis_are_noticed(void **state)
{
    struct sample s;
    struct err e;

    (void)state;
    BROKEN(s.edges[0].reg = 5, "a phi of what is no register");
    BROKEN(s.edges[0].block = 3, "a block that does not come here");
    BROKEN(s.edges[0].block = 2, "not one value for each block");
    BROKEN(s.insts[1].count = 1, "not one value for each block");
    BROKEN(s.insts[3] = s.insts[1], "a phi after other instructions");
}

static void broken_blocks_are_noticed(void **state)
{
    struct sample s;
    struct err e;

    (void)state;
    BROKEN(s.blocks[0].then = 4, "a block that is not there");
    BROKEN(s.blocks[1].cond = 5, "no register");
    BROKEN(s.blocks[1].otherwise = LSL_NONE, "a choice without a condition");
    BROKEN(s.blocks[3].then = 0, "no header of a loop");
    BROKEN(s.blocks[3].result = 5, "no register");
    BROKEN(s.blocks[1].loop = 1, "a loop that is not there");
    BROKEN(s.blocks[3].loop = 0, "a loop with gaps");
    BROKEN(s.loops[0].last = 3, "a loop with gaps");
    BROKEN(s.loops[0].last = 4, "a loop without blocks");
    BROKEN(s.loops[0].parent = 0, "a loop before the one around it");
    BROKEN(s.loops[0].site = 2, "a site that is not there");
    BROKEN(s.procs[0].block_count = 0, "without blocks");
}

static void broken_objects_and_starts_are_noticed(void **state)
{
    struct sample s;
    struct err e;

    (void)state;
    BROKEN(s.cells[1].offset = 2, "overlap or lie outside");
    BROKEN(s.cells[1].offset = 9, "overlap or lie outside");
    BROKEN(s.cells[1].value.base = 2, "an object that is not there");
    BROKEN(s.objects[1].proc = 1, "a procedure that is not there");
    BROKEN(s.operations[0].proc = 1, "operation f has no procedure");
    BROKEN(s.program.main = 1, "init or main has no procedure");
    BROKEN(s.program.init = 1, "init or main has no procedure");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_is_what_it_holds),
        cmocka_unit_test(between_cells_is_zero),
        cmocka_unit_test(integers_come_apart_and_together),
        cmocka_unit_test(parts_of_pointers_mean_nothing),
        cmocka_unit_test(outside_is_undefined),
        cmocka_unit_test(a_sound_program_passes),
        cmocka_unit_test(broken_instructions_are_noticed),
        cmocka_unit_test(broken_phis_are_noticed),
        cmocka_unit_test(broken_blocks_are_noticed),
        cmocka_unit_test(broken_objects_and_starts_are_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
