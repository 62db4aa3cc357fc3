#!/bin/bash
# tests/expensive lists the cases that need more than $LIMIT seconds of processor time. `make test` runs half as many of them as of the
# others, selected by the hash of their names; `make test-long` runs them all.
#
#   tests/expensive.sh --update   brings the list up to date with the times of the last run (build/check/*/times). Cases that did not run
#                                 keep their place in the list
#   tests/expensive.sh            shows the most expensive cases of the last run
#
# Unit tests are not listed: they are the core of the checks. RANDOM_PERCENT sets how long they take. Nor are the cases of enforce that run
# a program many times under its certificate: each `make test` shows them.
cd "$(dirname "$0")/.." || exit 1
LIMIT=1.5

# Lines "seconds suite name" of the last run.
times_of_suites() {
	local f suite
	for f in build/check/*/times; do
		suite=$(basename "$(dirname "$f")")
		# All cases of html need its first case. Cases of late and signals test fewer programs in `make test`, so they are cheap there.
		case $suite in unit | bench | html | late | signals | *-in-container) continue ;; esac
		awk -v suite="$suite" '{t = $1; sub(/^[^ ]+ /, ""); if (suite != "enforce" || !/^protects /) print t, suite, $0}' "$f"
	done
}

case ${1-} in
--update)
	times_of_suites | awk -v limit=$LIMIT '
		FILENAME == "-" { t = $1; sub(/^[^ ]+ /, ""); ran[$0] = 1; if (t > limit) over[$0] = 1; next }
		!($0 in ran) { over[$0] = 1 }
		END { for (c in over) print c }' - tests/expensive | LC_ALL=C sort >tests/expensive.new && mv tests/expensive.new tests/expensive
	;;
'') times_of_suites | sort -rn | head -n 50 ;;
*) echo "usage: tests/expensive.sh [--update]" >&2; exit 2 ;;
esac
