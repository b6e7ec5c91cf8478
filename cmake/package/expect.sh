# SPDX-License-Identifier: MIT
#
# expect.sh pass|fail|unknown COMMAND...: 0 if the command ends as expected.
case $1 in
pass) expected=0 ;;
fail) expected=1 ;;
*) expected=3 ;;
esac
word=$1
shift
"$@"
code=$?
[ $code = $expected ] && exit 0
echo "expected $word: exit code $expected, but it is $code" >&2
exit 1
