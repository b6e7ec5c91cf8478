# SPDX-License-Identifier: MIT
#
# fencer suite: the examples' list, verdicts that are not as expected, what is
# wrong with a list and in which line, and its answers for machines.
set -u
validate=$1
bad=0
say() {
    echo "$1"
    bad=1
}
rm -rf ./* .fencer
unset GITHUB_STEP_SUMMARY
cp "$SOURCE"/examples/*.c "$SOURCE/examples/fencer.toml" .

# code CODE ARGUMENTS...
code() {
    expected=$1
    shift
    "$FENCER" suite "$@" >out 2>err
    was=$?
    [ $was = "$expected" ] || say "suite $*: exit code $was, not $expected"
}
# has WORDS FILE
has() {
    grep -qF -- "$1" "$2" || { say "$2 does not have: $1"; cat "$2"; }
}

# ---- The examples: side by side, in their order, the same each time ----

code 0 --jobs 4 --json all.json
tail -n 1 out | grep -qx '8 passed, 0 failed' || say "not all: $(cat out)"
cp out first
code 0 --jobs 1
cmp -s out first || say "another order"
"$validate" "$SOURCE/docs/fencer.schema.json" all.json || say "json"
code 0 sb
[ "$(wc -l <out)" = 3 ] || say "sb is not two tests"
code 0 '*-fenced'
tail -n 1 out | grep -qx '3 passed, 0 failed' || say "pattern: $(cat out)"
code 2 sbb
has "unknown test 'sbb', did you mean 'sb'?" err

# What docs/suite.md shows of it.
sed -n '/^    \$ fencer suite/,/^$/s/^    //p' "$SOURCE/docs/suite.md" |
    sed 1d >shown
(cd "$SOURCE" && "$FENCER" suite --file examples/fencer.toml \
    --out "$OLDPWD/elsewhere" 'mp*') >out
[ -s shown ] && diff shown out || say "docs/suite.md shows something else"

# ---- Verdicts ----

# list EXPECT [MORE]
list() {
    printf '[[test]]\nname = "t"\nsources = "sb.c"\nmodel = ["sc", "tso"]\n' \
        >list.toml
    printf 'expect = %s\n%s\n' "$1" "${2:-}" >>list.toml
}
judged() {
    list "$2" "${3:-}"
    code "$1" --file list.toml --junit list.xml --json list.json
    "$validate" "$SOURCE/docs/fencer.schema.json" list.json || say "$2: json"
}
judged 0 '"fail"'
judged 1 '"pass"'
has 'expected pass, but assertion failed' out
has 'fencer replay .fencer/suite/t/finding-1.json' out
has 'failures="1"' list.xml
judged 1 '"unknown"'
judged 0 '{ tso = "fail" }'
judged 0 '{ tso = "fail", sc = "pass" }'
judged 1 '{ sc = "pass" }'
judged 1 '{ sc = "fail", tso = "fail" }'
has 'expected fail on SC, but it passes' out
judged 0 '"fail"' 'error = "left_saw"'
judged 1 '"fail"' 'error = "right_flag"'
judged 0 '"pass"' 'cflags = "-DFENCED"'
judged 1 '"fail"' 'cflags = "-DFENCED"'
judged 0 '"pass"' 'command = "run"
runs = 1
seed = 1
strategy = "rr"'
judged 2 '"pass"' 'cflags = "-DFENCED -include nowhere.h"'
has "nowhere.h" out
has 'errors="1"' list.xml
judged 0 '"fail"' 'arguments = ["--help", "x"]'
judged 3 '"pass"' 'time = 0.001
cflags = "-DFENCED"'
has 'expected pass, but unknown' out

# The replay that is named works.
judged 1 '"pass"'
"$FENCER" replay --quiet .fencer/suite/t/finding-1.json
[ $? = 1 ] || say "the replay"

# From another folder, and for GitHub.
mkdir sub && cp sb.c sub
list '"pass"' && cp list.toml sub/list.toml
code 1 --file sub/list.toml --github
grep -q '^::error file=sub/sb.c,line=53,' out || say "github: $(cat out)"
[ -e sub/.fencer/suite/t/finding-1.json ] || say "sub has no findings"
list '"fail"' 'cflags = "-DFENCED"'
code 1 --file list.toml --github
grep -q '^::error file=list.toml,line=1,title=Fencer%3A test t::expected fail' \
    out || say "github: $(cat out)"

# ---- Lists that are none ----

# refused LINE-OF-THE-FILE WORDS TEXT
refused() {
    printf "$3" >wrong.toml
    code 2 --file wrong.toml
    [ "$(wc -l <err)" = 1 ] || say "$2: more than one line"
    has "fencer: wrong.toml: line $1: $2" err
}
t='[[test]]\nname = "t"\nsources = "sb.c"\n'
refused 1 "there is no [[test]]" ''
refused 1 "unknown key 'tests', did you mean 'test'?" '[[tests]]\n'
refused 2 "'name' is not followed by '='" '[[test]]\nname "t"\n'
refused 1 "a test without a name" '[[test]]\nsources = "sb.c"\n'
refused 2 "'a b' is no name" '[[test]]\nname = "a b"\n'
refused 2 "'../x' is no name" '[[test]]\nname = "../x"\n'
refused 5 "there is a test 't' already, in line 1" "$t"'[[test]]\nname = "t"\n'
refused 1 "test 't' has no sources" '[[test]]\nname = "t"\n'
refused 3 "nowhere.c: No such file" '[[test]]\nname = "t"\nsources = "nowhere.c"\n'
refused 4 "unknown command 'verfiy', did you mean 'verify'?" "$t"'command = "verfiy"\n'
refused 4 "unknown key 'modle', did you mean 'model'?" "$t"'modle = "sc"\n'
refused 4 "'json' is not for a test" "$t"'json = "x"\n'
refused 4 "'bound' is a string, not an integer" "$t"'bound = "1"\n'
refused 4 "'races' is an integer, not true or false" "$t"'races = 1\n'
refused 1 "unknown model 'tos', did you mean 'tso'?" "$t"'model = ["sc", "tos"]\n'
refused 4 "unknown verdict 'passes', did you mean 'pass'?" "$t"'expect = "passes"\n'
refused 4 "'pso' is no model of this test" "$t"'expect = { pso = "fail" }\n'
refused 5 "'name' is not for [defaults]" "$t"'[defaults]\nname = "x"\n'
refused 5 "unknown key 'unrol', did you mean 'unroll'?" "$t"'[defaults]\nunrol = 1\n'
refused 2 "not UTF-8" '#\n\377\n'
code 2 --file nowhere.toml
has nowhere.toml err
code 2 a b
code 2 --json - --sarif -

# ---- Interrupted: what is there is told, the rest was not run ----

cat >loop.c <<'END'
#include <pthread.h>
int x[2];
static void *one(void *p) { for (int i = 0; i < 100000; i++) x[i & 1]++; return p; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, one, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
printf '[[test]]\nname = "a"\nsources = "loop.c"\nunroll = 1000000\n' >loop.toml
printf '[[test]]\nname = "b"\nsources = "sb.c"\n' >>loop.toml
rm -rf .fencer/suite/a
"$FENCER" suite --jobs 1 --file loop.toml >out 2>&1 &
pid=$!
# Its store is there when the search has begun.
n=0
while [ ! -e .fencer/suite/a/verify.db ] && [ $n -lt 300 ]; do
    sleep 0.1
    n=$((n + 1))
done
kill -INT $pid
wait $pid
[ $? = 3 ] || say "interrupted: another code"
has 'not run' out
has '0 passed, 2 failed' out
exit $bad
