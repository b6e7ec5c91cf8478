/* SPDX-License-Identifier: MIT
 *
 * Traces: writing and reading back is the identity, damage is noticed, and the
 * tables of a program are read from its ELF file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trace/trace.h"

/* Last: it makes a macro of EV_NONE. */
#include <elf.h>

static uint64_t state = 88172645463325252ull;

static uint64_t any(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static uint32_t below(uint64_t n)
{
    return (uint32_t)(any() % n);
}

static const char *any_text(struct arena *a)
{
    char text[24];
    size_t n = below(sizeof(text));

    for (size_t i = 0; i < n; i++)
        text[i] = (char)('a' + below(4));
    return arena_copy_n(a, text, n);
}

static void any_tables(struct arena *a, struct trace *t)
{
    t->site_count = 1 + below(20);
    t->sites = arena_array(a, t->site_count, sizeof(*t->sites));
    for (size_t i = 0; i < t->site_count; i++)
        t->sites[i] = (struct fencer_site){
            any_text(a), any_text(a), any_text(a),          any_text(a),
            below(999),  below(80),   below(EV_KIND_COUNT), below(9)};
    t->object_count = 1 + below(10);
    t->objects = arena_array(a, t->object_count, sizeof(*t->objects));
    for (size_t i = 0; i < t->object_count; i++)
        t->objects[i] = (struct trace_object){below(OBJECT_OTHER + 1),
                                              below(9),
                                              below(t->site_count),
                                              below(9),
                                              any(),
                                              any(),
                                              any_text(a),
                                              any_text(a)};
}

static void any_events(struct arena *a, struct trace *t)
{
    t->event_count = below(50);
    t->events = arena_array(a, t->event_count, sizeof(*t->events));
    for (size_t i = 0; i < t->event_count; i++)
        t->events[i] =
            (struct event){.kind = (uint8_t)below(EV_KIND_COUNT),
                           .size = (uint8_t)below(17),
                           .thread = (uint16_t)below(t->thread_count),
                           .site = below(t->site_count),
                           .object = below(t->object_count),
                           .flags = (uint32_t)any(),
                           .offset = any(),
                           .value = any(),
                           .wrote = any(),
                           .index = (uint32_t)any(),
                           .from = below(i + 1),
                           .co = (uint32_t)any(),
                           .depth = (uint32_t)any()};
}

static void any_trace(struct arena *a, struct trace *t)
{
    *t = (struct trace){.program = any_text(a),
                        .model = any_text(a),
                        .strategy = any_text(a),
                        .flags = (uint32_t)any(),
                        .seed = any(),
                        .run = any(),
                        .buffer = any(),
                        .events_lost = any()};
    any_tables(a, t);
    t->thread_count = 1 + below(5);
    t->threads = arena_array(a, t->thread_count, sizeof(*t->threads));
    any_events(a, t);
    for (size_t i = 0; i < t->thread_count; i++)
        t->threads[i] = (struct trace_thread){
            below(t->thread_count), below(t->event_count + 1), below(100)};
    t->failure = (struct channel_failure){.kind = below(FAIL_KIND_COUNT),
                                          .thread = below(9),
                                          .site = below(t->site_count),
                                          .signal = below(64),
                                          .exit_code = (int64_t)any(),
                                          .run = t->run};
    strcpy(t->failure.message, any_text(a));
}

static void expect_equal_tables(const struct trace *x, const struct trace *y)
{
    assert_int_equal(x->site_count, y->site_count);
    for (size_t i = 0; i < x->site_count; i++) {
        assert_string_equal(x->sites[i].file, y->sites[i].file);
        assert_string_equal(x->sites[i].dir, y->sites[i].dir);
        assert_string_equal(x->sites[i].function, y->sites[i].function);
        assert_string_equal(x->sites[i].name, y->sites[i].name);
        assert_memory_equal(&x->sites[i].line, &y->sites[i].line, 16);
    }
    assert_int_equal(x->object_count, y->object_count);
    for (size_t i = 0; i < x->object_count; i++) {
        assert_memory_equal(&x->objects[i], &y->objects[i],
                            offsetof(struct trace_object, name));
        assert_string_equal(x->objects[i].name, y->objects[i].name);
        assert_string_equal(x->objects[i].fields, y->objects[i].fields);
    }
}

static void expect_equal(const struct trace *x, const struct trace *y)
{
    assert_string_equal(x->program, y->program);
    assert_string_equal(x->model, y->model);
    assert_string_equal(x->strategy, y->strategy);
    assert_int_equal(x->flags, y->flags);
    assert_int_equal(x->seed, y->seed);
    assert_int_equal(x->run, y->run);
    assert_int_equal(x->buffer, y->buffer);
    assert_int_equal(x->events_lost, y->events_lost);
    assert_memory_equal(&x->failure, &y->failure, sizeof(x->failure));
    expect_equal_tables(x, y);
    assert_int_equal(x->thread_count, y->thread_count);
    assert_memory_equal(x->threads, y->threads,
                        x->thread_count * sizeof(*x->threads));
    assert_int_equal(x->event_count, y->event_count);
    assert_memory_equal(x->events, y->events,
                        x->event_count * sizeof(*x->events));
}

static void writing_and_reading_back_is_the_identity(void **unused)
{
    (void)unused;
    for (int round = 0; round < 500; round++) {
        struct arena a = ARENA_INIT;
        struct trace before, after;
        struct buf once = {0}, twice = {0};
        struct err e;

        any_trace(&a, &before);
        assert_true(trace_encode(&before, &once, &e));
        if (!trace_decode(once.bytes, once.count, &a, &after, &e))
            fail_msg("%s", e.text);
        expect_equal(&before, &after);
        assert_true(trace_encode(&after, &twice, &e));
        assert_int_equal(once.count, twice.count);
        assert_memory_equal(once.bytes, twice.bytes, once.count);
        buf_free(&once);
        buf_free(&twice);
        arena_free(&a);
    }
}

static void a_changed_byte_is_noticed(void **unused)
{
    struct arena a = ARENA_INIT;
    struct trace t, out;
    struct buf bytes = {0};
    struct err e;

    (void)unused;
    any_trace(&a, &t);
    assert_true(trace_encode(&t, &bytes, &e));
    for (size_t i = 0; i < bytes.count; i++) {
        bytes.bytes[i] ^= 0x41;
        assert_false(trace_decode(bytes.bytes, bytes.count, &a, &out, &e));
        bytes.bytes[i] ^= 0x41;
    }
    for (size_t n = 0; n < bytes.count; n++)
        assert_false(trace_decode(bytes.bytes, n, &a, &out, &e));
    buf_free(&bytes);
    arena_free(&a);
}

/* Breaks one number of a right trace and expects a refusal. */
static void wrong_numbers_are_refused(void **unused)
{
    struct arena a = ARENA_INIT;
    struct trace t;
    struct err e;

    (void)unused;
    do {
        any_trace(&a, &t);
    } while (t.event_count == 0);
    assert_true(trace_check(&t, &e));
#define BREAK(field, bad)                                                      \
    do {                                                                       \
        struct trace broken = t;                                               \
        struct event first = t.events[0];                                      \
        broken.field = (bad);                                                  \
        assert_false(trace_check(&broken, &e));                                \
        t.events[0] = first;                                                   \
    } while (0)
    BREAK(events[0].kind, EV_KIND_COUNT);
    BREAK(events[0].thread, (uint16_t)t.thread_count);
    BREAK(events[0].site, (uint32_t)t.site_count);
    BREAK(events[0].object, (uint32_t)t.object_count);
    BREAK(events[0].from, 1);
    BREAK(failure.kind, FAIL_KIND_COUNT);
    BREAK(failure.site, (uint32_t)t.site_count);
    BREAK(site_count, 0);
    BREAK(object_count, 0);
    BREAK(thread_count, 0);
    BREAK(thread_count, EVENT_THREADS_MAX + 1);
#undef BREAK
    arena_free(&a);
}

static void the_wrong_version_is_named(void **unused)
{
    struct arena a = ARENA_INIT;
    struct trace t;
    struct buf bytes = {0};
    struct err e;

    (void)unused;
    any_trace(&a, &t);
    assert_true(trace_encode(&t, &bytes, &e));
    bytes.bytes[8] = 9;
    assert_false(trace_decode(bytes.bytes, bytes.count, &a, &t, &e));
    assert_string_equal(e.text, "is a trace of version 9, this fencer reads 1");
    buf_free(&bytes);
    arena_free(&a);
}

static void memory_is_named_by_object_and_offset(void **unused)
{
    struct trace_object objects[] = {
        {0, 0, 0, 0, 0, 0, "", ""},
        {OBJECT_GLOBAL, 0, 0, 0, 0x5000, 24, "queue", "0 head;8 tail;"},
        {OBJECT_HEAP, 3, 0, 0, 0x9000, 16, "heap#3", ""},
    };
    struct trace t = {.objects = objects, .object_count = 3};
    struct buf out = {0};

    (void)unused;
    trace_place(&t, 1, 8, &out);
    assert_string_equal(out.bytes, "queue.tail");
    buf_clear(&out);
    trace_place(&t, 1, 12, &out);
    assert_string_equal(out.bytes, "queue.tail+4");
    buf_clear(&out);
    trace_place(&t, 2, 8, &out);
    assert_string_equal(out.bytes, "heap#3+8");
    buf_clear(&out);
    trace_value(&t, 0x9000, 8, &out);
    assert_string_equal(out.bytes, "&heap#3");
    buf_clear(&out);
    trace_value(&t, 0xffffffff, 4, &out);
    assert_string_equal(out.bytes, "-1");
    buf_clear(&out);
    trace_value(&t, 0x9000, 4, &out);
    assert_string_equal(out.bytes, "36864");
    buf_free(&out);
}

static void any_file_but_ours_is_refused_as_a_program(void **unused)
{
    struct arena a = ARENA_INIT;
    struct program p;
    struct err e;

    (void)unused;
    assert_false(program_parse("", 0, &a, &p, &e));
    assert_string_equal(e.text, "is not an ELF program");
    assert_false(program_read("/proc/self/exe", &a, &p, &e));
    assert_non_null(strstr(e.text, "was not linked by fencer cc"));
    assert_false(program_read("/no/such/file", &a, &p, &e));
    arena_free(&a);
}

/* ---- A program's file, put together by hand ---- */

#define BASE 0x400000ull /* where the file lies in the program's memory */

struct image {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    Elf64_Shdr sections[3]; /* none, symbols, their names */
    Elf64_Sym symbols[2];
    struct fencer_program program;
    struct fencer_site sites[2];
    struct fencer_global globals[1];
    struct fencer_extern externs[1];
    const char *limits[1];
    char text[256];
};

static struct image image;

#define ADDRESS(part) ((void *)(BASE + offsetof(struct image, part)))

/* Puts a string into the image; returns its address in the program. */
static const char *put(const char *text)
{
    static size_t used = 1; /* symbol names begin with "" */
    size_t at = used;

    strcpy(image.text + at, text);
    used += strlen(text) + 1;
    return (const char *)ADDRESS(text) + at;
}

static void make_tables(void)
{
    image.program = (struct fencer_program){.abi = FENCER_ABI,
                                            .sites = ADDRESS(sites),
                                            .site_count = 2,
                                            .globals = ADDRESS(globals),
                                            .global_count = 1,
                                            .externs = ADDRESS(externs),
                                            .extern_count = 1,
                                            .limits = ADDRESS(limits),
                                            .limit_count = 1,
                                            .flags = PROGRAM_STATE};
    image.sites[1] = (struct fencer_site){
        put("sb.c"), put("/src"), put("left"), put("x"), 3, 5, EV_STORE, 4};
    image.globals[0] =
        (struct fencer_global){put("queue"), (void *)0x5000, 16, put("0 a;")};
    image.externs[0] = (struct fencer_extern){put("frob"), EXTERN_UNKNOWN, 1};
    image.limits[0] = put("a limit");
}

static void make_image(void)
{
    const char *name = put("__fencer_program");

    memcpy(image.header.e_ident, ELFMAG, SELFMAG);
    image.header.e_ident[EI_CLASS] = ELFCLASS64;
    image.header.e_ident[EI_DATA] = ELFDATA2LSB;
    image.header.e_machine = EM_X86_64;
    image.header.e_phoff = offsetof(struct image, segment);
    image.header.e_phentsize = sizeof(Elf64_Phdr);
    image.header.e_phnum = 1;
    image.header.e_shoff = offsetof(struct image, sections);
    image.header.e_shentsize = sizeof(Elf64_Shdr);
    image.header.e_shnum = 3;
    image.segment = (Elf64_Phdr){
        .p_type = PT_LOAD, .p_vaddr = BASE, .p_filesz = sizeof(image)};
    image.sections[1] =
        (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                     .sh_offset = offsetof(struct image, symbols),
                     .sh_size = sizeof(image.symbols),
                     .sh_link = 2};
    image.sections[2] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
                                     .sh_offset = offsetof(struct image, text),
                                     .sh_size = sizeof(image.text)};
    image.symbols[1].st_name = (uint32_t)(name - (const char *)ADDRESS(text));
    image.symbols[1].st_value = (uintptr_t)ADDRESS(program);
    make_tables();
}

static void a_programs_tables_are_read_from_its_file(void **unused)
{
    struct arena a = ARENA_INIT;
    struct program p;
    struct err e;

    (void)unused;
    if (!program_parse(&image, sizeof(image), &a, &p, &e))
        fail_msg("%s", e.text);
    assert_int_equal(p.flags, PROGRAM_STATE);
    assert_int_equal(p.site_count, 2);
    assert_string_equal(p.sites[0].file, "");
    assert_string_equal(p.sites[1].file, "sb.c");
    assert_string_equal(p.sites[1].function, "left");
    assert_int_equal(p.sites[1].line, 3);
    assert_string_equal(p.globals[0].name, "queue");
    assert_ptr_equal(p.globals[0].address, (void *)0x5000);
    assert_string_equal(p.globals[0].fields, "0 a;");
    assert_string_equal(p.externs[0].name, "frob");
    assert_string_equal(p.limits[0], "a limit");
    arena_free(&a);
}

static void a_programs_wrong_pointers_are_refused(void **unused)
{
    struct image good = image;
    struct arena a = ARENA_INIT;
    struct program p;
    struct err e;

    (void)unused;
#define BREAK(field, bad)                                                      \
    do {                                                                       \
        image.field = (bad);                                                   \
        assert_false(program_parse(&image, sizeof(image), &a, &p, &e));        \
        image = good;                                                          \
    } while (0)
    BREAK(program.abi, FENCER_ABI + 1);
    BREAK(program.sites, (void *)0x10);
    BREAK(program.site_count, UINT64_MAX);
    BREAK(program.global_count, 1000000);
    BREAK(program.limits, ADDRESS(text[255]));
    BREAK(sites[1].file, (char *)0x10);
    BREAK(sites[1].kind, EV_KIND_COUNT);
    BREAK(externs[0].site, 2);
    BREAK(symbols[1].st_value, 0);
    BREAK(symbols[1].st_name, 1000);
    BREAK(sections[1].sh_link, 77);
    BREAK(sections[1].sh_offset, UINT64_MAX);
    BREAK(header.e_phoff, UINT64_MAX);
    BREAK(header.e_shoff, UINT64_MAX - 10);
    BREAK(segment.p_offset, UINT64_MAX);
#undef BREAK
    for (size_t n = 0; n < sizeof(image); n += 7)
        assert_false(program_parse(&image, n, &a, &p, &e));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writing_and_reading_back_is_the_identity),
        cmocka_unit_test(a_changed_byte_is_noticed),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(the_wrong_version_is_named),
        cmocka_unit_test(memory_is_named_by_object_and_offset),
        cmocka_unit_test(any_file_but_ours_is_refused_as_a_program),
        cmocka_unit_test(a_programs_tables_are_read_from_its_file),
        cmocka_unit_test(a_programs_wrong_pointers_are_refused),
    };

    make_image();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
