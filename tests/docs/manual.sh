#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every command has a manual page, which names every option that the command
# has; fencer(1) names them all.  (unit.options compares its options.)
set -u
built=$1
bad=0
say() {
    echo "$1"
    bad=1
}
commands=$("$FENCER" --help | sed -n 's/^  fencer \([a-z]*\) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 13 ] || say "too few commands: $commands"
roff() {
    echo "$1" | sed 's/-/\\-/g'
}
for command in $commands; do
    page=$built/fencer-$command.1
    if [ ! -s "$page" ]; then
        say "fencer $command has no page"
        continue
    fi
    warnings=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
    [ -z "$warnings" ] || say "$warnings"
    if command -v mandoc >/dev/null; then
        warnings=$(mandoc -T lint -W error "$page")
        [ -z "$warnings" ] || say "$warnings"
    fi
    grep -q '@OPTIONS@' "$page" && say "$page: its options are missing"
    grep -qF "fencer\\-$command" "$SOURCE/docs/fencer.1" ||
        say "fencer(1) does not name fencer-$command(1)"
    case $command in
    cc | completion) continue ;;
    esac
    for option in $("$FENCER" $command --help | grep -o '^  --[a-z-]*'); do
        grep -qF "$(roff "$option")" "$page" || say "$page: no $option"
    done
done
for page in "$built"/*.1; do
    name=$(basename "$page" .1)
    echo "$commands" | grep -qx "${name#fencer-}" || say "$page: of no command"
done
exit $bad
