#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes pages from real runs and tries them in Chromium, driven by Playwright.
# Skips itself, with a line that says why, where the browser is not installed:
# `tools/setup.sh --browser` installs it, and ./check calls that.
#
#   FENCER=build/dev/bin/fencer tests/browser/run.sh [--pictures]
#
# --pictures also makes those of docs/pictures anew.
set -u
here=$(cd "$(dirname "$0")" && pwd)
SOURCE=${SOURCE:-$(cd "$here/../.." && pwd)}
: "${FENCER:?the path of the tool}"
FENCER=$(realpath "$FENCER")

skip() {
    echo "skipped: $1"
    exit 77
}
CHROMIUM=$(command -v chromium) || skip "no chromium; tools/setup.sh --browser"
command -v node >/dev/null || skip "no node; tools/setup.sh --browser"
command -v npm >/dev/null || skip "no npm; tools/setup.sh --browser"

# What the lock file names, once: it is the same in every build.
modules=$SOURCE/build/browser
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
cp "$SOURCE"/examples/*.c "$here/long.c" .
sed 's/left_saw == 1/"<\/script><img src=x onerror=alert(1)>" \&\& &/' sb.c \
    >"h\"'<b>.c"
"$FENCER" test --quiet --html sb.html --json sb.json sb.c
"$FENCER" verify --quiet --model all --html mp.html --json mp.json mp.c
"$FENCER" check --quiet --model papers --html queue.html queue.c
"$FENCER" verify --quiet --html hostile.html "./h\"'<b>.c"
"$FENCER" verify --quiet --cflags -DFENCED --html fenced.html sb.c
"$FENCER" report --quiet --html report.html
"$FENCER" run --quiet --runs 20000 --out long --html long.html long.c
export CHROMIUM SOURCE
exec_test() {
    NODE_PATH=$modules/node_modules node "$here/page.mjs" "$work" "$modules" "$@"
}
exec_test "$@"
