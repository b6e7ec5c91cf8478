# SPDX-License-Identifier: MIT
#
# What --sarif writes, opened in a viewer: Microsoft's web component, from npm,
# shows every result with its file and its first line.  Its 64 MB are fetched with
# FENCER_LONG=1; without, and where npm is not there, it skips itself.
#
#   FENCER_LONG=1 FENCER=build/dev/bin/fencer SOURCE=$PWD sh tests/outputs/viewer.sh
set -u
here=$SOURCE/tests/outputs/viewer
skip() {
    echo "skipped: $1"
    exit 77
}
command -v node >/dev/null || skip "no node; tools/setup.sh --browser"
command -v npm >/dev/null || skip "no npm; tools/setup.sh --browser"

modules=$SOURCE/build/sarif-viewer
mkdir -p "$modules"
if ! cmp -s "$here/package-lock.json" "$modules/installed"; then
    [ -n "${FENCER_LONG:-}" ] || skip "with FENCER_LONG=1 only"
    cp "$here/package.json" "$here/package-lock.json" "$modules"
    (cd "$modules" &&
        npm ci --ignore-scripts --no-audit --no-fund --legacy-peer-deps) \
        >"$modules/log" 2>&1 || skip "npm ci failed; see $modules/log"
    cp "$here/package-lock.json" "$modules/installed"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$SOURCE/examples/sb.c" "$SOURCE/examples/deadlock.c" .
sed 's/left_saw == 1/"<b>\&amp; <\/script>" \&\& &/' sb.c >hostile.c
"$FENCER" verify --quiet --model tso --sarif sb.sarif sb.c
"$FENCER" verify --quiet --model c11 --sarif race.sarif sb.c
"$FENCER" verify --quiet --model tso --sarif hostile.sarif hostile.c
"$FENCER" run --quiet --sarif deadlock.sarif deadlock.c
"$FENCER" verify --quiet --model tso --cflags -DFENCED --sarif none.sarif sb.c
cp "$here/viewer.cjs" "$modules"
node "$modules/viewer.cjs" sb.sarif race.sarif hostile.sarif deadlock.sarif \
    none.sarif
