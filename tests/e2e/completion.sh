# SPDX-License-Identifier: MIT
#
# The completion scripts in the shells that are here: bash always, zsh and fish
# where they are installed.
set -u
bad=0
say() {
    echo "$1"
    bad=1
}
# try SHELL EXPECTED WORDS...: the answers, sorted, in one line.
try() {
    shell=$1
    expected=$2
    shift 2
    was=$(complete_$shell "$@" | sort | tr '\n' ' ' | sed 's/ $//')
    [ "$was" = "$expected" ] || say "$shell: $*: '$was', not '$expected'"
}
complete_bash() {
    bash -c 'eval "$("$FENCER" completion bash)"
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fencer
        printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}
# zsh itself leaves out what does not begin as the word does.
complete_zsh() {
    for last; do :; done
    zsh -fc 'autoload -U compinit && compinit -u -D
        eval "$("$FENCER" completion zsh)"
        emulate sh
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fencer
        printf "%s\n" "${COMPREPLY[@]}"' zsh "$@" | grep -e "^$last"
}
complete_fish() {
    fish --no-config -c '"$FENCER" completion fish | source
        complete -C "$argv"' "$@" | cut -f 1
}
HOME=$PWD
export HOME
shells=bash
for shell in zsh fish; do
    if command -v $shell >/dev/null; then
        shells="$shells $shell"
    else
        echo "no $shell here: not tried"
    fi
done
for shell in $shells; do
    try $shell "verify" fencer veri
    try $shell "--no-cache --no-color --no-dpor --no-spurious --no-symmetry" \
        fencer verify --no-
    try $shell "pct pos" fencer run --strategy p
    try $shell "sc" fencer verify --model s
    try $shell "sc,papers sc,power sc,pslo sc,pso" fencer verify --model sc,p
    try $shell "dump" fencer trace d
    try $shell "doctor" fencer do
    try $shell "bash" fencer completion b
    try $shell "unknown" fencer test --fail-on u
done
try bash "arm" fencer verify --model = ar
try bash "" fencer verify --json x
try bash "verify version" fencer ver
"$FENCER" completion tcsh 2>err
[ $? = 2 ] || say "tcsh"

# Words that are nearly right.
near() {
    "$FENCER" $2 2>err
    [ $? = 2 ] || say "$2: it was taken"
    grep -q "did you mean '$1'" err || say "$2: $(cat err)"
}
near verify "verfy x.c"
near suite "siute"
near --model "verify --modle tso x.c"
near --fail-on "verify --failon any x.c"
near tso "verify --model tos x.c"
exit $bad
