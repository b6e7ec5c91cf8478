/* SPDX-License-Identifier: MIT
 *
 * A small directory tree in memory, so that no execution touches a disk.
 */
#ifndef TREE_H
#define TREE_H

struct entry {
    const char *name;
    const char *text;            /* of a file */
    const struct entry *entries; /* of a directory; the last has no name */
};

extern const struct entry tree_root;

#endif
