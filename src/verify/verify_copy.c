/* SPDX-License-Identifier: MIT
 *
 * Copies of the search tree with the counts that belong to it.  Nobody but the
 * workers understands the tree; that its second word says how many bytes are in
 * use is enough to copy it.
 */
#include <string.h>
#include <unistd.h>

#include "verify/crew.h"

/* A larger tree is not copied: it would hold up the workers, and SQLite takes
 * no more in one piece. */
#define TREE_MAX (256u << 20)

bool copy_read_tree(int tree, struct buf *bytes)
{
    uint64_t head[2] = {0, 0};
    size_t at = 0;

    buf_clear(bytes);
    if (tree < 0 || pread(tree, head, sizeof(head), 0) != sizeof(head) ||
        head[1] > TREE_MAX)
        return false;
    buf_pad(bytes, '\0', head[1]);
    while (at < bytes->count) {
        ssize_t n =
            pread(tree, bytes->bytes + at, bytes->count - at, (off_t)at);

        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

bool copy_write_tree(int tree, const char *bytes, size_t count)
{
    size_t at = 0;

    while (at < count) {
        ssize_t n = pwrite(tree, bytes + at, count - at, (off_t)at);

        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

void copy_take(struct crew *c)
{
    struct copy *copy = &c->copy;

    copy->whole = copy_read_tree(c->tree, &copy->tree);
    copy->counts = *c->s->counts;
    tally_copy(&copy->outcomes, c->s->outcomes, c->s->v->arena);
}

bool copy_restore(struct crew *c)
{
    const struct copy *copy = &c->copy;

    *c->s->counts = copy->counts;
    tally_copy(c->s->outcomes, &copy->outcomes, c->s->v->arena);
    return copy->whole && ftruncate(c->tree, 0) == 0 &&
           ftruncate(c->tree, (off_t)EXPLORE_TREE_SIZE) == 0 &&
           copy_write_tree(c->tree, copy->tree.bytes, copy->tree.count);
}

void copy_free(struct copy *copy)
{
    buf_free(&copy->tree);
}
