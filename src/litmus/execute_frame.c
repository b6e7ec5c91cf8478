/* SPDX-License-Identifier: MIT
 *
 * The relations of an execution, as rows of bits.
 */
#include "litmus/execute_inside.h"

#include <string.h>

static void search_mark(struct frame *f, uint32_t marks, size_t i)
{
    for (; marks; marks &= marks - 1)
        f->marked[__builtin_ctz(marks)] |= search_bit(i);
}

static void add_incoming(struct rows *r, uint64_t from, size_t to,
                         size_t offset)
{
    for (; from; from &= from - 1)
        r->row[offset + (size_t)__builtin_ctzll(from)] |= search_bit(to);
}

/* Relations of a thread whose first event has number `offset'. */
static void search_fill_thread(struct frame *f, const struct trace *t,
                               size_t offset)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct litmus_event *e = &t->events[i];
        size_t to = offset + i;
        bool seen = false; /* a store between, from here backwards */

        search_mark(f, e->marks, to);
        for (size_t j = i; j-- > 0;) {
            const struct litmus_event *before = &t->events[j];

            f->base[BASE_PO].row[offset + j] |= search_bit(to);
            if (e->cell < 0 || before->cell != e->cell)
                continue;
            f->base[BASE_PO_LOC].row[offset + j] |= search_bit(to);
            if (before->marks & MARK_W && e->marks & MARK_R && !seen)
                f->base[BASE_LRS].row[offset + j] |= search_bit(to);
            seen |= (before->marks & MARK_W) != 0;
        }
        add_incoming(&f->base[BASE_ADDR], e->addr, to, offset);
        add_incoming(&f->base[BASE_DATA], e->data, to, offset);
        add_incoming(&f->base[BASE_CTRL], e->ctrl, to, offset);
        add_incoming(&f->base[BASE_PICK_ADDR], e->pick_addr, to, offset);
        add_incoming(&f->base[BASE_PICK_DATA], e->pick_data, to, offset);
        add_incoming(&f->base[BASE_PICK_CTRL], e->pick_ctrl, to, offset);
        if (e->rmw >= 0) {
            enum relation_base kind = e->pair ? BASE_LXSX : BASE_AMO;

            f->base[BASE_RMW].row[offset + (size_t)e->rmw] |= search_bit(to);
            f->base[kind].row[offset + (size_t)e->rmw] |= search_bit(to);
        }
    }
}

/* Both events of an instruction as one node: the load's. */
static void merge_rows(const struct trace *t, struct rows *r)
{
    for (size_t w = 0; w < t->count; w++) {
        const struct litmus_event *e = &t->events[w];
        size_t load = (size_t)e->rmw;

        if (e->rmw < 0 || e->pair)
            continue;
        r->row[load] |= r->row[w];
        r->row[w] = 0;
        for (size_t i = 0; i < t->count; i++)
            if (r->row[i] & search_bit(w))
                r->row[i] = (r->row[i] & ~search_bit(w)) | search_bit(load);
        r->row[load] &= ~search_bit(load);
    }
}

void search_find_ppo(struct search *s, struct trace *t)
{
    struct rows ppo;

    memset(&s->frame, 0, sizeof(s->frame));
    s->frame.count = t->count;
    search_fill_thread(&s->frame, t, 0);
    evaluate_ppo(s->axioms, &s->frame, &ppo);
    if (s->axioms->source->merge)
        merge_rows(t, &ppo);
    rows_close(&ppo, t->count);
    t->ppo = arena_array(s->u->arena, t->count + 1, sizeof(uint64_t));
    memcpy(t->ppo, ppo.row, t->count * sizeof(uint64_t));
}

/* ---- a whole execution ---- */

/* What the model's own axioms need besides rf and co. */
void search_fill_frame(struct search *s)
{
    struct frame *f = &s->frame;
    size_t offset = s->cell_count;

    memset(f, 0, sizeof(*f));
    f->count = s->count;
    for (size_t i = 0; i < s->cell_count; i++)
        search_mark(f, MARK_W | MARK_INIT, i);
    for (size_t i = 0; i < s->thread_count; i++) {
        search_fill_thread(f, s->traces[i], offset);
        offset += s->traces[i]->count;
    }
    for (size_t i = 0; i < s->count; i++) {
        for (size_t j = 0; j < s->count; j++) {
            bool same = s->cell[i] == s->cell[j] && s->cell[i] != 255;
            uint64_t either =
                f->marked[MARK_NUMBER_W] & (search_bit(i) | search_bit(j));
            uint64_t plain = ~f->marked[MARK_NUMBER_ATOMIC] &
                             (search_bit(i) | search_bit(j));
            bool initial = i < s->cell_count || j < s->cell_count;

            if (i != j && search_ext(s, i, j))
                f->base[BASE_EXT].row[i] |= search_bit(j);
            if (same)
                f->base[BASE_LOC].row[i] |= search_bit(j);
            if (same && search_ext(s, i, j) && either && plain && !initial)
                f->base[BASE_CONFLICT].row[i] |= search_bit(j);
        }
    }
}

void search_fill_communication(struct search *s)
{
    struct frame *f = &s->frame;

    for (int b = BASE_RF; b <= BASE_FRE; b++)
        memset(&f->base[b], 0, s->count * sizeof(uint64_t));
    for (size_t cell = 0; cell < s->cell_count; cell++) {
        const struct choices *c = &s->choices[cell];
        const struct choice *x = s->chosen[cell];

        for (size_t i = 0; i < c->store_count; i++)
            for (size_t j = i + 1; j < c->store_count; j++)
                f->base[BASE_CO].row[x->co[i]] |= search_bit(x->co[j]);
        for (size_t i = 0; i < c->load_count; i++) {
            size_t w = x->source[i], r = c->loads[i];

            f->base[BASE_RF].row[w] |= search_bit(r);
            f->base[BASE_FR].row[r] = f->base[BASE_CO].row[w] & ~search_bit(r);
        }
    }
    for (size_t i = 0; i < s->count; i++) {
        uint64_t other = f->base[BASE_EXT].row[i];

        f->base[BASE_RFI].row[i] = f->base[BASE_RF].row[i] & ~other;
        f->base[BASE_RFE].row[i] = f->base[BASE_RF].row[i] & other;
        f->base[BASE_COE].row[i] = f->base[BASE_CO].row[i] & other;
        f->base[BASE_FRE].row[i] = f->base[BASE_FR].row[i] & other;
    }
}
