/* SPDX-License-Identifier: MIT
 *
 * Does a JSON file fit a schema?
 *
 *     validate SCHEMA FILE...
 *
 * Knows as much of JSON Schema (draft 7) as docs/fencer.schema.json uses, and
 * refuses a schema that has more: what is not understood is not checked.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

struct place {
    const char *file;
    char path[500];
    bool quiet; /* one of several that may fit */
};

static const json_t *root;

static bool fits(const json_t *schema, const json_t *j, struct place *p);

static bool refuse(const struct place *p, const char *why, const char *what)
{
    if (!p->quiet)
        printf("%s: %s: %s %s\n", p->file, *p->path ? p->path : "/", why,
               what ? what : "");
    return false;
}

static bool has_type(const char *type, const json_t *j)
{
    if (strcmp(type, "integer") == 0)
        return json_is_integer(j);
    if (strcmp(type, "number") == 0)
        return json_is_number(j);
    if (strcmp(type, "string") == 0)
        return json_is_string(j);
    if (strcmp(type, "boolean") == 0)
        return json_is_boolean(j);
    if (strcmp(type, "object") == 0)
        return json_is_object(j);
    if (strcmp(type, "array") == 0)
        return json_is_array(j);
    return strcmp(type, "null") == 0 && json_is_null(j);
}

/* Below the place, and back. */
static bool fits_below(const json_t *schema, const json_t *j, struct place *p,
                       const char *name)
{
    size_t n = strlen(p->path);
    bool ok;

    snprintf(p->path + n, sizeof(p->path) - n, "/%s", name);
    ok = fits(schema, j, p);
    p->path[n] = '\0';
    return ok;
}

static bool fits_object(const json_t *schema, const json_t *j, struct place *p)
{
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *required = json_object_get(schema, "required");
    bool closed =
        json_is_false(json_object_get(schema, "additionalProperties"));
    bool ok = true;
    const char *key;
    json_t *value;

    for (size_t i = 0; i < json_array_size(required); i++) {
        key = json_string_value(json_array_get(required, i));
        if (!json_object_get(j, key))
            ok = refuse(p, "lacks", key);
    }
    json_object_foreach((json_t *)j, key, value)
    {
        const json_t *of = json_object_get(properties, key);

        if (of)
            ok = fits_below(of, value, p, key) && ok;
        else if (closed)
            ok = refuse(p, "has", key);
    }
    return ok;
}

static bool fits_array(const json_t *items, const json_t *j, struct place *p)
{
    bool ok = true;
    char name[24];

    for (size_t i = 0; items && i < json_array_size(j); i++) {
        snprintf(name, sizeof(name), "%zu", i);
        ok = fits_below(items, json_array_get(j, i), p, name) && ok;
    }
    return ok;
}

static bool is_among(const json_t *list, const json_t *j)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (json_equal(json_array_get(list, i), (json_t *)j))
            return true;
    }
    return false;
}

/* The reason given is that of the last. */
static bool fits_any(const json_t *list, const json_t *j, struct place *p)
{
    bool quiet = p->quiet, ok = false;

    for (size_t i = 0; i < json_array_size(list) && !ok; i++) {
        p->quiet = true;
        ok = fits(json_array_get(list, i), j, p);
    }
    p->quiet = quiet;
    for (size_t i = 0; i < json_array_size(list) && !ok; i++)
        fits(json_array_get(list, i), j, p);
    return ok;
}

/* "#/definitions/NAME" */
static const json_t *definition(const char *ref)
{
    static const char start[] = "#/definitions/";
    const json_t *all = json_object_get(root, "definitions");
    const json_t *j = NULL;

    if (strncmp(ref, start, strlen(start)) == 0)
        j = json_object_get(all, ref + strlen(start));
    if (!j) {
        printf("no definition %s\n", ref);
        exit(2);
    }
    return j;
}

static void check_keywords(const json_t *schema)
{
    static const char *const known[] = {"$schema",
                                        "title",
                                        "description",
                                        "definitions",
                                        "type",
                                        "enum",
                                        "anyOf",
                                        "$ref",
                                        "properties",
                                        "required",
                                        "additionalProperties",
                                        "items",
                                        "minimum"};
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)schema, key, value)
    {
        size_t i = 0;

        while (i < sizeof(known) / sizeof(known[0]) &&
               strcmp(known[i], key) != 0)
            i++;
        if (i == sizeof(known) / sizeof(known[0])) {
            printf("the schema has %s, which is not known\n", key);
            exit(2);
        }
    }
}

static bool fits(const json_t *schema, const json_t *j, struct place *p)
{
    const char *ref = json_string_value(json_object_get(schema, "$ref"));
    const char *type = json_string_value(json_object_get(schema, "type"));
    const json_t *words = json_object_get(schema, "enum");
    const json_t *any = json_object_get(schema, "anyOf");
    const json_t *least = json_object_get(schema, "minimum");

    check_keywords(schema);
    if (ref)
        return fits(definition(ref), j, p);
    if (type && !has_type(type, j))
        return refuse(p, "is no", type);
    if (words && !is_among(words, j))
        return refuse(p, "is none of the words:", json_string_value(j));
    if (least && json_number_value(j) < json_number_value(least))
        return refuse(p, "is too small", NULL);
    if (any && !fits_any(any, j, p))
        return refuse(p, "fits nothing", NULL);
    if (json_is_object(j))
        return fits_object(schema, j, p);
    return fits_array(json_object_get(schema, "items"), j, p);
}

static json_t *load(const char *path)
{
    json_error_t e;
    json_t *j = json_load_file(path, JSON_REJECT_DUPLICATES, &e);

    if (!j) {
        printf("%s:%d: %s\n", path, e.line, e.text);
        exit(2);
    }
    return j;
}

int main(int argc, char **argv)
{
    json_t *schema = load(argc > 1 ? argv[1] : "");
    int code = 0;

    root = schema;
    for (int i = 2; i < argc; i++) {
        struct place p = {.file = argv[i]};
        json_t *j = load(argv[i]);

        if (!fits(schema, j, &p))
            code = 1;
        json_decref(j);
    }
    json_decref(schema);
    return code;
}
