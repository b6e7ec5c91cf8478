/* SPDX-License-Identifier: MIT
 *
 * fencer models [NAME]: the models, what they stand for; of one, its axioms and
 * what C becomes on it.  Everything comes from the model's own data.
 */
#include <string.h>

#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/tell.h"
#include "model/model.h"

#define NAMES_MAX 16

static void list_models(struct buf *out)
{
    for (const struct model *const *m = model_stated; *m; m++)
        buf_printf(out, "%-8s %-12s %s\n", (*m)->name, (*m)->words,
                   (*m)->axioms->stands);
}

/* ---- axioms ---- */

static const char *test_words(enum relation_test test)
{
    return test == RELATION_ACYCLIC       ? "acyclic"
           : test == RELATION_IRREFLEXIVE ? "irreflexive"
                                          : "empty";
}

static void put_axiom(struct buf *out, const char *name, const char *text)
{
    buf_printf(out, "  %-12s %s\n", name, text);
}

/* "acyclic ppo|rfe|coe|fre" */
static void put_order(const struct model_axioms *x, struct buf *out)
{
    if (!x->ppo[0])
        return;
    buf_printf(out, "  %-12s acyclic ppo", "order");
    for (unsigned i = 0; i < 3; i++)
        if (x->edges & 1u << i)
            buf_printf(out, "|%s", i == 0 ? "rfe" : i == 1 ? "coe" : "fre");
    if (x->merge)
        buf_puts(out, ", where an RMW of one instruction is one event");
    buf_putc(out, '\n');
}

static void put_axioms(const struct model_axioms *x, struct buf *out)
{
    buf_puts(out, "\nAn execution must satisfy\n");
    put_axiom(out, "coherence",
              x->loads_free ? "acyclic (po-loc, not of two loads)|rf|co|fr"
                            : "acyclic po-loc|rf|co|fr");
    put_axiom(out, "atomicity", "empty amo & (fr;co), empty lxsx & (fre;coe)");
    put_order(x, out);
    for (const struct relation_axiom *a = x->axioms; a && a->name; a++)
        buf_printf(out, "  %-12s %s %s\n", a->name, test_words(a->test),
                   a->text);
    if (x->ppo[0])
        buf_puts(out, "\nppo is what the program order keeps:\n");
    for (const char *const *term = x->ppo; *term; term++)
        buf_printf(out, "  %s\n", *term);
    if (x->lets)
        buf_puts(out, "\nwhere\n");
    for (const struct relation_let *l = x->lets; l && l->name; l++)
        buf_printf(out, "  %-12s %s\n", l->name, l->text);
}

/* ---- words ---- */

/* Does some text of the model use that name, as a whole word? */
static bool in_text(const char *text, const char *name)
{
    const char *letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-";
    size_t n = strlen(name);

    for (const char *at = text; (at = strstr(at, name)); at++)
        if ((at == text || !strchr(letters, at[-1])) &&
            (!at[n] || !strchr(letters, at[n])))
            return true;
    return false;
}

static bool uses(const struct model_axioms *x, const char *name)
{
    if (in_text("po-loc|rf|co|fr|amo|lxsx", name) ||
        (x->edges && in_text("rfe|coe|fre", name)))
        return true;
    for (const char *const *term = x->ppo; *term; term++)
        if (in_text(*term, name))
            return true;
    for (const struct relation_let *l = x->lets; l && l->name; l++)
        if (in_text(l->text, name))
            return true;
    for (const struct relation_axiom *a = x->axioms; a && a->name; a++)
        if (in_text(a->text, name))
            return true;
    return false;
}

static void put_words(const struct model_axioms *x, struct buf *out)
{
    buf_puts(out, "\nin which\n");
    for (size_t i = 0; i < BASE_COUNT; i++)
        if (uses(x, relation_base_names[i]))
            buf_printf(out, "  %-12s %s\n", relation_base_names[i],
                       relation_base_words[i]);
    for (size_t i = 0; i < MARK_COUNT; i++)
        if (uses(x, relation_mark_names[i]))
            buf_printf(out, "  [%s]%*s %s\n", relation_mark_names[i],
                       10 - (int)strlen(relation_mark_names[i]), "",
                       relation_mark_words[i]);
    if (uses(x, "M"))
        buf_puts(out, "  [M]          loads and stores\n");
}

/* ---- what C becomes ---- */

static void put_mapping(const struct model_mapping *m, struct buf *out)
{
    buf_printf(out, "\nC becomes, %s (%s)\n", m->words, m->name);
    for (size_t i = 0; i < MAPPED_COUNT; i++)
        if (m->rows[i].words)
            buf_printf(out, "  %-36s %s\n", model_mapped_words[i],
                       m->rows[i].words);
}

static void put_fences(unsigned fences, struct buf *out)
{
    static const char *const names[] = {"ss", "sl", "ll", "ls", "full"};
    const char *comma = "";

    for (unsigned i = 0; i < 5; i++) {
        if (fences & 1u << i) {
            buf_printf(out, "%s%s", comma, names[i]);
            comma = ",";
        }
    }
}

static void put_recipes(const struct model *m, struct buf *out)
{
#define CONSTRUCT(name, words) words,
    static const char *const words[] = {MODEL_CONSTRUCTS(CONSTRUCT)};
#undef CONSTRUCT

    buf_puts(out, "\nC becomes the access, with fences before and after\n");
    for (size_t i = 0; i < C_COUNT; i++) {
        struct model_recipe r = m->recipe[i];

        if (!r.before && !r.after)
            continue;
        buf_printf(out, "  %-56s ", words[i]);
        put_fences(r.before, out);
        buf_puts(out, " ; ");
        put_fences(r.after, out);
        buf_putc(out, '\n');
    }
}

static void put_compiled(const struct model *m, struct buf *out)
{
    const struct model_mapping *const *list = m->axioms->mappings;

    if (m->by_language) {
        buf_puts(out, "\nEvery access of C keeps its own memory order.\n");
        return;
    }
    if (!list[0])
        put_recipes(m, out);
    for (size_t i = 0; i < MODEL_MAPPINGS_MAX && list[i]; i++)
        put_mapping(list[i], out);
}

static bool unknown(const char *name, struct err *e)
{
    const char *names[NAMES_MAX];
    size_t n = 0;

    for (; model_stated[n]; n++) {
        CHECK(n < NAMES_MAX);
        names[n] = model_stated[n]->name;
    }
    return words_unknown(e, "model", name, names, n,
                         "fencer models lists them");
}

int cmd_models(struct options *o, struct err *e)
{
    const struct model *m = NULL;
    struct buf out = {0};
    int code;

    if (o->operand_count > 1) {
        err_set(e, "usage: fencer models [NAME]");
        return EXIT_USAGE;
    }
    if (o->operand_count == 1) {
        m = model_find_stated(o->operands[0]);
        if (!m) {
            unknown(o->operands[0], e);
            return EXIT_USAGE;
        }
        buf_printf(&out, "%s, %s: %s\n", m->name, m->words, m->axioms->stands);
        put_axioms(m->axioms, &out);
        put_words(m->axioms, &out);
        put_compiled(m, &out);
    } else {
        list_models(&out);
    }
    code = tell_text(&out, e) ? EXIT_NOTHING_FOUND : EXIT_UNFINISHED;
    buf_free(&out);
    return code;
}
