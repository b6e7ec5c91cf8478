# SPDX-License-Identifier: MIT
#
# SARIF against the schema of OASIS, which an npm package brings; our own schema
# under the same validator; and the fixes in the log are cures.  Skips itself,
# with a line that says why, where npm is not there.
#
#   FENCER=build/dev/bin/fencer SOURCE=$PWD sh tests/outputs/sarif.sh
set -u
here=$SOURCE/tests/outputs
skip() {
    echo "skipped: $1"
    exit 77
}
command -v node >/dev/null || skip "no node; tools/setup.sh --browser"
command -v npm >/dev/null || skip "no npm; tools/setup.sh --browser"

# What the lock file names, once: it is the same in every build.
modules=$SOURCE/build/sarif
mkdir -p "$modules"
if ! cmp -s "$here/package-lock.json" "$modules/installed"; then
    cp "$here/package.json" "$here/package-lock.json" "$modules"
    (cd "$modules" && npm ci --ignore-scripts --no-audit --no-fund) \
        >"$modules/log" 2>&1 || skip "npm ci failed; see $modules/log"
    cp "$here/package-lock.json" "$modules/installed"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$SOURCE"/examples/*.c .
sed 's/left_saw == 1/"<\/script> %20 \\" \\n" \&\& &/' sb.c >'h "'"'"'<b>%2F#?.c'
"$FENCER" run --quiet --sarif run.sarif --json run.json sb.c
"$FENCER" test --quiet --sarif test.sarif mp.c
"$FENCER" verify --quiet --sarif sb.sarif sb.c
"$FENCER" verify --quiet --model all --sarif mp.sarif --json mp.json mp.c
"$FENCER" verify --quiet --model c11 --sarif race.sarif sb.c
"$FENCER" verify --quiet --cflags -DFENCED --sarif none.sarif sb.c
"$FENCER" verify --quiet --sarif hostile.sarif './h "'"'"'<b>%2F#?.c'
mkdir sub other && cp sb.c sub
(cd sub && "$FENCER" cc -o sb sb.c)
"$FENCER" verify --quiet --sarif below.sarif sub/sb
(cd other && "$FENCER" verify --quiet --sarif ../absolute.sarif ../sub/sb)
letters=$(printf '\303\251\342\202\254\360\237\230\200')
sed "s|^    left_flag = 1|    /* $letters */ left_flag = 1|" sb.c >letters.c
"$FENCER" verify --quiet --sarif letters.sarif letters.c
"$FENCER" run --quiet --sarif deadlock.sarif deadlock.c
"$FENCER" check --quiet --fences --sarif queue.sarif --json queue.json queue.c
"$FENCER" report --quiet --sarif report.sarif --json report.json
cp "$SOURCE/examples/fencer.toml" .
sed 's/tso = "fail", //' fencer.toml >other/fencer.toml
cp ./*.c other
"$FENCER" suite --quiet --sarif suite.sarif --json suite.json
"$FENCER" suite --quiet --file other/fencer.toml --sarif moved.sarif sb
cp "$here/sarif.mjs" "$modules"
node "$modules/sarif.mjs" "$work" "$SOURCE" || exit 1

# The fixes of these logs, in place: nothing fails any more.
bad=0
cured() {
    node "$modules/sarif.mjs" --fix "$1" || bad=1
    shift
    "$FENCER" verify --quiet "$@" || { echo "$*: not cured"; bad=1; }
}
cured sb.sarif sb.c
cured mp.sarif --model all mp.c
exit $bad
