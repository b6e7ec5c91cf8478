/* SPDX-License-Identifier: MIT
 *
 * What threads observe in a search by graphs.  A thread's observations are a
 * function of the values it has read, so they belong to its place in the trie:
 * a number there stands for all of them.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/driver.h"
#include "runtime/native_inside.h"

#define NOTES_MAX (1u << 16)
#define NOTE_TEXT 64

/* A note and all before it of the same thread.  Equal ones have one number. */
static struct note {
    uint32_t before; /* 0: it is the first */
    uint32_t site;
    char text[NOTE_TEXT];
} notes[NOTES_MAX];
static uint32_t note_count = 1;

/* What is compared with outcomes that the tool has cleaned must be clean. */
static bool is_plain(const char *text)
{
    while (*text >= ' ' && *text <= '~')
        text++;
    return !*text;
}

void native_note(const char *text, uint32_t site)
{
    struct native_thread *n = native_self();
    struct note new = {.before = n->notes, .site = site};
    uint32_t i = 1;

    strcpy(new.text, text);
    while (i < note_count && memcmp(&notes[i], &new, sizeof new) != 0)
        i++;
    if (i == NOTES_MAX)
        native_refuse("too many different observations", rt.current->site);
    if (i == note_count)
        notes[note_count++] = new;
    n->notes = i;
}

void native_observe(const char *label, const char *value, uint32_t site)
{
    char text[NOTE_TEXT];

    if (strlen(label) + strlen(value) + 3 > NOTE_TEXT || !is_plain(label))
        native_refuse("an unusual label of an observation", rt.current->site);
    rt_print(text, sizeof text, "%s=%s ", label, value);
    native_note(text, site);
}

void native_judge(void)
{
    native_self()->judged = true;
}

static void put_notes(uint32_t thread, uint32_t note)
{
    if (!note)
        return;
    put_notes(thread, notes[note].before);
    observe_by(thread, notes[note].text);
}

uint32_t native_observations(uint32_t note,
                             struct native_observed to[NATIVE_OBSERVED_MAX])
{
    uint32_t count = 0, at;

    for (at = note; at && count < NATIVE_OBSERVED_MAX; at = notes[at].before)
        count++;
    for (uint32_t i = count; i-- > 0; note = notes[note].before) {
        const char *value = strrchr(notes[note].text, '=');

        /* What only separates observations has none. */
        to[i] = (struct native_observed){
            notes[note].site, value ? strtoll(value + 1, NULL, 10) : 0};
    }
    return count;
}

void native_put_outcome(const struct graph_thread *threads, unsigned count)
{
    observe_begin_graph();
    for (unsigned t = 0; t < count; t++)
        if (threads[t].made)
            put_notes(t, native.trie->entries[threads[t].at.ix].notes);
}

bool native_has_notes(void)
{
    return note_count > 1;
}

void native_forget_notes(void)
{
    note_count = 1;
}
