/* SPDX-License-Identifier: MIT
 *
 * Workers are detached: the counter of those still at work says when all is
 * done, as in the program that this one follows.
 */
#include "scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scan_init(struct scan *s, unsigned queue_size)
{
    pqueue_init(&s->queue, queue_size);
    pthread_mutex_init(&s->matches_lock, NULL);
    pthread_mutex_init(&s->print_lock, NULL);
    pthread_mutex_init(&s->workers_lock, NULL);
    pthread_cond_init(&s->workers_done, NULL);
    s->matches = s->files_with_matches = 0;
    s->printed = NULL;
    s->workers = 0;
}

void scan_fini(struct scan *s)
{
    while (s->printed) {
        struct match *m = s->printed;

        s->printed = m->next;
        free(m);
    }
    pthread_mutex_destroy(&s->print_lock);
    pthread_mutex_destroy(&s->matches_lock);
    pqueue_fini(&s->queue);
}

static bool comes_before(const struct match *a, const struct match *b)
{
    int order = strcmp(a->path, b->path);

    return order < 0 || (order == 0 && a->offset < b->offset);
}

static void print_match(struct scan *s, const struct job *job, long offset)
{
    struct match *m = malloc(sizeof *m), **at;

    m->offset = offset;
    strcpy(m->path, job->path);
    pthread_mutex_lock(&s->print_lock);
    for (at = &s->printed; *at && comes_before(*at, m); at = &(*at)->next)
        ;
    m->next = *at;
    *at = m;
    pthread_mutex_unlock(&s->print_lock);
}

static void scan_file(struct scan *s, const struct job *job)
{
    long length = (long)strlen(job->text), at = -1;
    unsigned found = 0;

    while ((at = bm_find(&s->pattern, job->text, length, at + 1)) >= 0) {
        print_match(s, job, at);
        found++;
    }
    if (found == 0)
        return;
    pthread_mutex_lock(&s->matches_lock);
    s->matches += found;
    s->files_with_matches++;
    pthread_mutex_unlock(&s->matches_lock);
}

static void *worker(void *arg)
{
    struct scan *s = arg;
    struct job *job;

    while ((job = pqueue_get(&s->queue)) != NULL) {
        scan_file(s, job);
        free(job);
    }
    pthread_mutex_lock(&s->workers_lock);
    if (--s->workers == 0)
        pthread_cond_signal(&s->workers_done);
    pthread_mutex_unlock(&s->workers_lock);
    return NULL;
}

void scan_start_workers(struct scan *s, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        pthread_t id;

        pthread_mutex_lock(&s->workers_lock);
        s->workers++;
        pthread_mutex_unlock(&s->workers_lock);
        if (pthread_create(&id, NULL, worker, s) != 0) {
            perror("pfscan: worker");
            exit(2);
        }
        pthread_detach(id);
    }
}

void scan_finish(struct scan *s)
{
    pqueue_close(&s->queue);
    pthread_mutex_lock(&s->workers_lock);
    while (s->workers > 0)
        pthread_cond_wait(&s->workers_done, &s->workers_lock);
    pthread_mutex_unlock(&s->workers_lock);
}
