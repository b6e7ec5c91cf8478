/* SPDX-License-Identifier: MIT
 *
 * A parallel text scanner of the shape of pfscan, one of Relaxer's programs:
 * main walks a directory tree and puts files into a bounded queue, workers
 * take them out and search, counters and output have a lock each, and a
 * counter of workers under a lock of its own says when all is done.  All of it
 * is properly synchronised: no cycle may be reported.
 *
 *   sc: correct
 *   tso: correct
 *   pso: correct
 *   pslo: correct
 *   fenced: correct
 *   runs: 1000
 *
 * Usage: pfscan [-i] [-v] [-w WORKERS] [-q QUEUE-SIZE] [PATTERN]
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scan.h"
#include "tree.h"

struct options {
    const char *pattern;
    unsigned workers, queue_size;
    bool ignore_case, verbose;
};

static struct scan scan;
static unsigned n_files, n_bytes; /* main's own */

static void add_file(const char *path, const struct entry *file)
{
    struct job *job = malloc(sizeof *job);

    job->text = file->text;
    strcpy(job->path, path);
    n_files++;
    n_bytes += (unsigned)strlen(file->text);
    pqueue_put(&scan.queue, job);
}

static void walk(const char *path, const struct entry *directory)
{
    for (const struct entry *e = directory->entries; e->name; e++) {
        char inner[sizeof((struct job *)0)->path];

        snprintf(inner, sizeof inner, "%s/%s", path, e->name);
        if (e->entries)
            walk(inner, e);
        else
            add_file(inner, e);
    }
}

static struct options parse(int argc, char **argv)
{
    struct options o = {"fence", 2, 2, false, false};
    int c;

    while ((c = getopt(argc, argv, "ivw:q:")) != -1) {
        switch (c) {
        case 'i':
            o.ignore_case = true;
            break;
        case 'v':
            o.verbose = true;
            break;
        case 'w':
            o.workers = (unsigned)atoi(optarg);
            break;
        case 'q':
            o.queue_size = (unsigned)atoi(optarg);
            break;
        default:
            exit(2);
        }
    }
    if (optind < argc)
        o.pattern = argv[optind];
    return o;
}

static void report(const struct options *o)
{
    for (const struct match *m = scan.printed; m; m = m->next)
        printf("%s: %ld\n", m->path, m->offset);
    if (o->verbose)
        printf("%u files, %u bytes: %u matches in %u files\n", n_files, n_bytes,
               scan.matches, scan.files_with_matches);
}

/* The oracle: the same, by one thread and without Boyer and Moore. */
static unsigned count(const struct options *o, const struct entry *directory)
{
    unsigned found = 0;

    for (const struct entry *e = directory->entries; e->name; e++) {
        if (e->entries) {
            found += count(o, e);
            continue;
        }
        for (const char *at = e->text; *at; at++)
            found += o->ignore_case
                         ? strncasecmp(at, o->pattern, strlen(o->pattern)) == 0
                         : strncmp(at, o->pattern, strlen(o->pattern)) == 0;
    }
    return found;
}

int main(int argc, char **argv)
{
    struct options o = parse(argc, argv);
    unsigned listed = 0;

    scan_init(&scan, o.queue_size);
    if (!bm_compile(&scan.pattern, o.pattern, o.ignore_case)) {
        fprintf(stderr, "pfscan: bad pattern '%s'\n", o.pattern);
        return 2;
    }
    scan_start_workers(&scan, o.workers);
    walk("", &tree_root);
    scan_finish(&scan);
    report(&o);
    for (const struct match *m = scan.printed; m; m = m->next)
        listed++;
    assert(n_files == 7);
    assert(scan.matches == count(&o, &tree_root));
    assert(listed == scan.matches);
    scan_fini(&scan);
    return 0;
}
