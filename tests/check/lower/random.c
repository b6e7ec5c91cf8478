/* SPDX-License-Identifier: MIT
 *
 * random SEED: a program for values/see.h on stdout.  Loops in loops with ways
 * out, switches, structs in and out of functions, arrays, pointers, integers
 * of every width; nothing that C leaves undefined, and no loop without end.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FUNCTIONS 5

static uint64_t state;
static int depth; /* of what is being written */
static int loops; /* around it */
static int names;

static unsigned below(unsigned n)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % n;
}

static void line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void line(const char *fmt, ...)
{
    va_list args;

    printf("%*s", 4 * depth, "");
    va_start(args, fmt);
    vprintf(fmt, args);
    va_end(args);
    putchar('\n');
}

/* ---- Expressions ---- */

static const char *const types[] = {"int8_t",   "uint8_t", "int16_t",
                                    "uint16_t", "int32_t", "uint32_t",
                                    "int64_t",  "uint64_t"};

/* Places that may be assigned; every function has them. */
static const char *const places[] = {
    "a",       "b",       "c",         "s.wide", "s.half", "s.flag",
    "p->byte", "p->wide", "at[a & 7]", "g.half", "g.wide", "at[3]"};

static const char *place(void)
{
    return places[below(sizeof places / sizeof *places)];
}

static void expression(int left)
{
    static const char *const signs[] = {"+",  "-",  "*", "&",  "|",  "^",
                                        "==", "!=", "<", ">=", "&&", "||"};
    const char *type = types[below(8)];

    if (left == 0 || below(6) == 0) {
        if (below(3))
            printf("%s", place());
        else
            printf("%d", (int)below(300) - 100);
        return;
    }
    switch (below(7)) {
    case 0:
        printf("(%s)(", type);
        break;
    case 1: /* shifts stay below the width, and in unsigned numbers */
        printf("((uint64_t)(");
        expression(left - 1);
        printf(") %s ((", below(2) ? "<<" : ">>");
        expression(left - 1);
        printf(") & 31))");
        return;
    case 2: /* no division by zero or of the least number by -1 */
        printf("((int64_t)(int32_t)(");
        expression(left - 1);
        printf(") %s ((", below(2) ? "/" : "%");
        expression(left - 1);
        printf(") & 15 | 1))");
        return;
    case 3:
        printf("((");
        expression(left - 1);
        printf(") ? (int64_t)(");
        expression(left - 1);
        printf(") : (int64_t)(");
        expression(left - 1);
        printf("))");
        return;
    default:
        printf("((uint64_t)(%s)(", type);
        expression(left - 1);
        printf(") %s (uint64_t)(", signs[below(12)]);
        expression(left - 1);
        printf("))");
        return;
    }
    expression(left - 1);
    printf(")");
}

static void assignment(void)
{
    printf("%*s%s = ", 4 * depth, "", place());
    expression(3);
    printf(";\n");
}

/* ---- Statements ---- */

static void statements(int left, int function);

static void choice(int left, int function)
{
    printf("%*sif (", 4 * depth, "");
    expression(2);
    printf(") {\n");
    depth++;
    statements(left - 1, function);
    depth--;
    if (below(2)) {
        line("} else {");
        depth++;
        statements(left - 1, function);
        depth--;
    }
    line("}");
}

static void loop(int left, int function)
{
    int name = names++;

    line("for (int i%d = 0; i%d < %u; i%d++) {", name, name, 1 + below(4),
         name);
    depth++;
    loops++;
    statements(left - 1, function);
    loops--;
    depth--;
    line("}");
}

static void cases(int left, int function)
{
    unsigned count = below(5);

    printf("%*sswitch ((int)(", 4 * depth, "");
    expression(2);
    printf(") & 7) {\n");
    for (unsigned i = 0; i < count; i++) {
        line("case %u:", 2 * i);
        depth++;
        statements(left - 1, function);
        if (below(3))
            line("break;");
        depth--;
    }
    if (below(2)) {
        line("default:");
        depth++;
        assignment();
        depth--;
    }
    line("}");
}

/* Functions call those before them only. */
static void call(int function)
{
    unsigned callee;

    if (!function) {
        assignment();
        return;
    }
    callee = below((unsigned)function);
    switch (below(3)) {
    case 0:
        line("s = f%u(s, &g, a);", callee);
        break;
    case 1:
        line("g = f%u(*p, &s, c);", callee);
        break;
    default:
        line("b += f%u(g, &s, b).half;", callee);
    }
}

static void leave(int function)
{
    switch (loops ? below(4) : 3) {
    case 0:
        line("break;");
        return;
    case 1:
        line("continue;");
        return;
    case 2:
        if (function < FUNCTIONS) {
            line("return s;");
            return;
        }
        /* fall through */
    default:
        assignment();
    }
}

static void statement(int left, int function)
{
    unsigned kind = below(left ? 10 : 3);

    if (kind == 9) {
        loop(left, function);
    } else if (kind == 8) {
        cases(left, function);
    } else if (kind > 5) {
        choice(left, function);
    } else if (kind == 5) {
        call(function);
    } else if (kind == 4 && loops) {
        printf("%*sif (", 4 * depth, "");
        expression(1);
        printf(")\n");
        depth++;
        leave(function);
        depth--;
    } else if (kind == 3) {
        line("p = %s ? &g : &s;", place());
    } else {
        assignment();
    }
}

static void statements(int left, int function)
{
    for (unsigned n = 1 + below(3); n; n--)
        statement(left, function);
}

/* ---- The program ---- */

static void write_function(int function)
{
    line("static struct some f%d(struct some s, struct some *p, int32_t a)",
         function);
    line("{");
    depth++;
    line("int16_t b = (int16_t)a;");
    line("uint64_t c = 7;");
    line("int32_t at[8] = {1, 2, 3};");
    printf("\n");
    statements(3, function);
    line("g.wide += c + (uint64_t)at[2];");
    line("return s;");
    depth--;
    line("}");
    printf("\n");
}

int main(int argc, char **argv)
{
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    below(2);
    line("#include <stdint.h>\n\n#include \"see.h\"\n");
    /* Small ones travel in registers, others in memory. */
    line("struct some {");
    line("    %s wide;", types[below(8)]);
    line("    int16_t half;");
    line("    uint8_t byte;");
    line("    _Bool flag;%s", below(2) ? "\n    int64_t more[2];" : "");
    line("};\n\nstatic struct some g = {5, -3, 200, 1};\n");
    for (int i = 0; i < FUNCTIONS; i++)
        write_function(i);
    line("SHOW\n{");
    line("    for (int i = -2; i < 3; i++) {");
    for (int i = 0; i < FUNCTIONS; i++)
        line("        g = f%d(g, &g, i);", i);
    line("        SEE(g.wide);");
    line("        SEE(g.half);");
    line("        SEE(g.byte);");
    line("        SEE(g.flag);");
    line("    }\n}");
    return 0;
}
