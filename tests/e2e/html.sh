# SPDX-License-Identifier: MIT
#
# The page of --html without a browser: nothing of a program gets out of its
# place, the page is small and the same each time, what cannot be written is
# said before the work, and the diff in it is a cure.
set -u
bad=0
say() {
    echo "$1"
    bad=1
}
rm -rf ./* .fencer
cp "$SOURCE/examples/sb.c" "$SOURCE/examples/mp.c" .

# ---- Hostile words: a file's name, an assertion, an observation, output ----

hostile="a\"b'<img src=x onerror=alert(1)>&amp;@DATA@.c"
mark=$(printf '\342\200\250') # U+2028 ends a line in JavaScript
cat >"$hostile" <<END
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include "fencer.h"
int x, y, r, s; /* </script><script>alert(2)</script> <!-- ${mark} */
static void *one(void *p) { x = 1; r = y; return p; }
static void *two(void *p) { y = 1; s = x; return p; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("</script><script>alert(3)</script> ]]> <!-- ${mark} \\033[31m\\n");
    fencer_observe("</pre></script><b>", r);
    assert((r || s) && "</script><svg onload=alert(4)>\"' ${mark}");
    return 0;
}
END
"$FENCER" verify --html hostile.html --json hostile.json --quiet "./$hostile"
[ $? = 1 ] || say "hostile: not found"
# The page has as many tags as one without hostile words.
"$FENCER" verify --html plain.html --quiet sb.c
tags() {
    grep -o '<[/!a-zA-Z][a-zA-Z]*' "$1" | sort | uniq -c
}
tags hostile.html >hostile.tags
tags plain.html >plain.tags
diff hostile.tags plain.tags || say "hostile: its words became tags"
LC_ALL=C grep -q "$mark" hostile.html &&
    sed -n '/id="data"/p' hostile.html | LC_ALL=C grep -q "$mark" &&
    say "hostile: U+2028 in the data"
[ "$(sed -n '/id="data"/p' hostile.html | grep -c 'u003c/script')" = 1 ] ||
    say "hostile: its words are not there"
[ "$(grep -c '@DATA@' hostile.html)" -ge 1 ] || say "hostile: its name is gone"

# ---- Size, and the same bytes again ----

size=$(wc -c <plain.html)
[ "$size" -lt 150000 ] || say "a small page of $size bytes"
"$FENCER" report --html again-1.html --quiet
"$FENCER" report --html - >again-2.html
cmp again-1.html again-2.html || say "report is not the same each time"
rm -rf long && "$FENCER" run --runs 20000 --out long --html long.html --quiet \
    "$SOURCE/tests/browser/long.c"
size=$(wc -c <long.html)
[ "$size" -lt 3000000 ] || say "10,000 events take $size bytes"
total=$(grep -o '"total":[0-9]*' long.html | cut -d: -f2)
[ "$total" -ge 10000 ] || say "long.c has $total steps only"

# Of a longer one a part is in the page, with memory as it was there.
"$FENCER" run --runs 20000 --out longer --html longer.html --quiet \
    --cflags -DROUNDS=4000 "$SOURCE/tests/browser/long.c"
size=$(wc -c <longer.html)
[ "$size" -lt 3000000 ] || say "28,000 events take $size bytes"
grep -q '"first":1[0-9]*,"total":28[0-9]*' longer.html ||
    say "longer.c is not cut"

# ---- What cannot be written ----

"$FENCER" run --html nowhere/x.html sb.c 2>err && say "nowhere: written"
grep -q nowhere/x.html err || say "nowhere: not said"
"$FENCER" run --html - --json - sb.c >/dev/null 2>err
[ $? = 2 ] || say "two on stdout"
mkdir -p none && "$FENCER" report --html none.html --quiet none ||
    say "a page of no findings"
grep -q '"executions":\[\]' none.html || say "none: what is in it?"

# ---- The diff is a cure ----

# cured FILE PAGE [OPTIONS...]
cured() {
    file=$1
    page=$2
    shift 2
    rm -rf fixed && mkdir fixed && cp "$file" fixed
    grep -o '"diff":"[^"]*"' "$page" | head -n 1 |
        sed 's/^"diff":"//; s/"$//; s/\\u0026/\&/g; s/\\u003c/</g; s/\\u003e/>/g; s/\\n/\n/g' \
            >fixed/cure.diff
    # Not as a part of the repository that this folder may lie in.
    (cd fixed && GIT_CEILING_DIRECTORIES=${PWD%/*} git apply cure.diff) ||
        say "$file: the diff does not apply"
    cmp -s "$file" "fixed/$file" && say "$file: the diff changes nothing"
    "$FENCER" verify --quiet "$@" "fixed/$file" || say "$file: it is no cure"
}
cured sb.c plain.html
"$FENCER" verify --model all --html mp.html --quiet mp.c
cured mp.c mp.html --model all
exit $bad
