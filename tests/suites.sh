#!/bin/bash
# The tables of tests/README.md: each script in tests/, and the first sentence of the comment at its head.
#
#   tests/suites.sh            prints the tables
#   tests/suites.sh --update   puts them into tests/README.md
#   tests/suites.sh --check    fails if tests/README.md has other ones, or if tests/all.sh leaves out a suite
cd "$(dirname "$0")/.." || exit 1
page=tests/README.md

# The first sentence of the comment at the head of a script. A full stop ends it if a space and a capital letter, a dash or a backquote follow.
first_sentence() {
	awk '/^#!/ && NR == 1 {next} /^# ?[^ ]/ {sub(/^# ?/, ""); text = text (text == "" ? "" : " ") $0; next} {exit}
		END {if (match(text " A", /\. [A-Z`-]/)) text = substr(text, 1, RSTART); gsub(/\|/, "\\|", text); print text}' "$1"
}

table() { # HEADING SCRIPT...
	local s text
	printf '\n| %s | the comment at its head begins |\n|---|---|\n' "$1"
	for s in "${@:2}"; do
		text=$(first_sentence "$s")
		[ -n "$text" ] || { echo "$s has no comment at its head" >&2; return 1; }
		echo "| [$(basename "$s")]($(basename "$s")) | $text |"
	done
}

mapfile -t suites < <(tests/all.sh names | LC_ALL=C sort | sed 's|.*|tests/&.sh|')
mapfile -t others < <(printf '%s\n' tests/*.sh | LC_ALL=C sort | grep -vxF "$(printf '%s\n' "${suites[@]}")")
tables() { table suite "${suites[@]}" && table "other script" "${others[@]}" && echo; }

# The page, with these tables between the two marks.
page_with_tables() {
	local text
	text=$(tables && echo .) || return 1
	awk -v text="${text%.}" '/^<!-- end of the tables -->$/ {off = 0} !off {print} /^<!-- tables by tests\/suites.sh -->$/ {printf "%s", text; off = 1}' "$page"
}

case ${1-} in
--update) text=$(page_with_tables) && printf '%s\n' "$text" >"$page" ;;
--check)
	never=$(grep -l '^finish$' "${others[@]}")
	[ -z "$never" ] || { echo "tests/all.sh does not run" $never; exit 1; }
	text=$(page_with_tables) && diff "$page" <(printf '%s\n' "$text") && grep -q '^| \[unit.sh\]' "$page" || { echo "$page: the tables are not those of tests/suites.sh; tests/suites.sh --update corrects it"; exit 1; }
	;;
'') tables ;;
*) echo "usage: tests/suites.sh [--update | --check]" >&2; exit 2 ;;
esac
