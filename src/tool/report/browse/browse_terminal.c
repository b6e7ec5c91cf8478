/* SPDX-License-Identifier: MIT
 *
 * The one file that knows ncurses.
 */
#include "report/browse/browse.h"

#include <curses.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#define ESCAPE 27

static void draw(struct browse *b, unsigned width, unsigned height)
{
    static const attr_t looks[] = {
        [LOOK_PLAIN] = A_NORMAL,    [LOOK_BAR] = A_REVERSE,
        [LOOK_CURRENT] = A_REVERSE, [LOOK_CYCLE] = A_BOLD,
        [LOOK_FAILED] = A_BOLD,     [LOOK_DIM] = A_DIM};
    const struct browse_line *lines = browse_screen(b, width, height);

    erase();
    for (unsigned i = 0; i < height; i++) {
        bool bar = lines[i].look == LOOK_BAR || lines[i].look == LOOK_CURRENT;

        attrset(looks[lines[i].look]);
        if (bar)
            mvhline((int)i, 0, ' ', (int)width);
        mvaddstr((int)i, 0, lines[i].text);
    }
    attrset(A_NORMAL);
    refresh();
}

/* In the last line; Escape gives none. */
static void ask_pattern(struct browse *b, unsigned height)
{
    char text[BROWSE_PATTERN_MAX] = "";
    size_t n = 0;
    int c = 0;

    while (c != '\n' && c != KEY_ENTER) {
        mvprintw((int)height - 1, 0, "/%s", text);
        clrtoeol();
        refresh();
        c = getch();
        if (c == ESCAPE || c == ERR)
            return;
        if ((c == KEY_BACKSPACE || c == 127 || c == '\b') && n > 0)
            text[--n] = '\0';
        else if (c >= ' ' && c < 256 && c != 127 && n + 1 < sizeof(text))
            text[n++] = (char)c;
        text[n] = '\0';
    }
    browse_search(b, text);
}

/* False: the key has no meaning. */
static bool key_of(int c, enum browse_key *key)
{
    static const struct {
        int c;
        enum browse_key key;
    } keys[] = {{KEY_DOWN, BROWSE_DOWN},
                {KEY_RIGHT, BROWSE_DOWN},
                {'j', BROWSE_DOWN},
                {' ', BROWSE_DOWN},
                {KEY_UP, BROWSE_UP},
                {KEY_LEFT, BROWSE_UP},
                {'k', BROWSE_UP},
                {KEY_NPAGE, BROWSE_PAGE_DOWN},
                {KEY_PPAGE, BROWSE_PAGE_UP},
                {KEY_HOME, BROWSE_FIRST},
                {'g', BROWSE_FIRST},
                {KEY_END, BROWSE_LAST},
                {'G', BROWSE_LAST},
                {'n', BROWSE_NEXT_OF_CYCLE},
                {'p', BROWSE_PREVIOUS_OF_CYCLE},
                {'m', BROWSE_NEXT_MATCH},
                {'M', BROWSE_PREVIOUS_MATCH},
                {'\t', BROWSE_NEXT_FINDING},
                {KEY_BTAB, BROWSE_PREVIOUS_FINDING},
                {'a', BROWSE_ALL}};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (keys[i].c == c) {
            *key = keys[i].key;
            return true;
        }
    }
    return false;
}

bool browse_terminal(struct browse *b)
{
    enum browse_key key;
    SCREEN *screen;
    int c = 0;

    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return false;
    setlocale(LC_CTYPE, "");
    screen = newterm(NULL, stdout, stdin);
    if (!screen)
        return false;
    cbreak();
    noecho();
    keypad(stdscr, true);
    set_escdelay(50);
    curs_set(0);
    while (c != 'q' && c != ERR) {
        unsigned width = (unsigned)COLS, height = (unsigned)LINES;

        draw(b, width, height);
        c = getch();
        if (c == '/')
            ask_pattern(b, height);
        else if (key_of(c, &key))
            browse_do(b, key, height);
    }
    endwin();
    delscreen(screen);
    return true;
}

bool report_browse(const struct report *r)
{
    struct browse b;
    bool ok;

    if (r->finding_count == 0)
        return false;
    report_check(r);
    browse_init(&b, r);
    ok = browse_terminal(&b);
    browse_free(&b);
    return ok;
}
