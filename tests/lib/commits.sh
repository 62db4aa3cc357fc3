#!/bin/bash
# The commits since REVISION (default: main) keep the rules of CONTRIBUTING.md, as far as a program can tell:
# the subject is "part: what the change does", with at most 90 characters, without a semicolon and without a full stop; a body says why, unless the
# commit changes at most 40 lines, or only documents and tests.
#
#   tests/lib/commits.sh [REVISION]
cd "${COMMITS_OF-$(dirname "$0")/../..}" || exit 1
range=${1-main}..HEAD
git rev-parse -q --verify "${1-main}^{commit}" >/dev/null || { echo "commits: there is no revision ${1-main}"; exit 2; }

# Prints the number of lines of code that a commit changes: all but those of documents and tests.
code_lines() {
	git show --numstat --format= "$1" -- . ':!docs' ':!tests' ':!*.md' | awk '{n += $1 + $2} END {print n + 0}'
}

bad=0
complain() { echo "$(git log -1 --format='%h "%s"' "$1"): $2"; bad=1; }

while read -r commit; do
	subject=$(git log -1 --format=%s "$commit")
	[[ $subject =~ ^[a-zA-Z0-9_.,/\ -]+:\ [^\ ] ]] || complain "$commit" "the subject is not \"part: what the change does\""
	[ ${#subject} -le 90 ] || complain "$commit" "the subject has ${#subject} characters, more than 90"
	[[ $subject != *';'* ]] || complain "$commit" "the subject has a semicolon: one change in each commit"
	[[ $subject != *. ]] || complain "$commit" "the subject ends with a full stop"
	[ -n "$(git log -1 --format=%b "$commit")" ] || [ "$(code_lines "$commit")" -le 40 ] ||
		complain "$commit" "the body does not say why: it changes $(code_lines "$commit") lines of code"
done < <(git rev-list --no-merges "$range")
exit $bad
