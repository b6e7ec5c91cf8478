/* SPDX-License-Identifier: MIT
 *
 * For tests of labels (tests/e2e/depends): a program asks on what its own last
 * operation depended.  Only a search over graphs knows: elsewhere all is as
 * expected.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "event/must.h"
#include "runtime/labels.h"
#include "runtime/modelled.h"
#include "runtime/native_inside.h"

/* The operations that the running thread announced so far. */
HIDDEN(uint32_t, test_place, (void))
{
    return labels_are_on() ? native_self()->labels.place : 0;
}

HIDDEN(void, test_forget_branches, (void))
{
    native_self()->labels.branch = 0;
}

static uint64_t places_of(const struct depends_set *s, uint32_t from)
{
    uint64_t found = 0;

    for (uint32_t i = 0; i < 64 && from + i < DEPENDS_PLACES; i++)
        found |= (uint64_t)depends_has(s, from + i) << i;
    return found;
}

static void tell(const char *text)
{
    int file = open("depends.wrong", O_WRONLY | O_CREAT | O_APPEND, 0666);

    MUST(file >= 0 && write(file, text, strlen(text)) > 0);
    close(file);
}

/* The last operation's sets, by enum depends_kind, of the 64 places from there.
 * What differs is told in a file: the machine, which shows what fails, has no
 * labels, so that nobody else could tell. */
HIDDEN(int, test_expect,
       (const char *name, uint32_t from, const uint64_t wanted[DEPENDS_KINDS]))
{
    static const char *const words[] = {"addr",      "data",      "ctrl",
                                        "pick_addr", "pick_data", "pick_ctrl"};
    const struct depends *d;
    char text[256];
    int same = 1;

    if (!labels_are_on())
        return 1;
    d = depends_get(&native.trie->depends, native_self()->last.depends);
    for (unsigned i = 0; i < DEPENDS_KINDS; i++) {
        uint64_t found = places_of(&d->sets[i], from);

        if (found == wanted[i])
            continue;
        same = 0;
        rt_print(text, sizeof text, "%s: %s is 0x%x, not 0x%x\n", name,
                 words[i], (unsigned)found, (unsigned)wanted[i]);
        tell(text);
    }
    return same;
}
