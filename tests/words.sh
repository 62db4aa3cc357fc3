#!/bin/bash
# Banned words (tests/words/banned) do not return.
#
#   tests/words.sh            fails where a file has more of them than tests/words/allowed grants; shows these lines
#   tests/words.sh --update   lowers what is granted to what there is. It never grants more in all
#   tests/words.sh --list FILE...   the lines of these files with such a word
#
# tests/words/allowed has one line for each file that still has some: the number and the path. A file that moved keeps its number as long
# as no other file has its name.
cd "$(dirname "$0")/.." || exit 1
WORDS_ROOT=${WORDS_ROOT:-.}
banned=tests/words/banned allowed=${WORDS_ALLOWED:-tests/words/allowed}

pattern=$(sed -e '/^#/d' -e 's/\t.*//' "$banned" | paste -sd'|')

# Lines "file:word" of everything that people read.
found() {
	( cd "$WORDS_ROOT" && find . \( -path ./build -o -path ./.git -o -path ./tests/words -o -path ./tests/words.sh -o -path ./LICENSE \) -prune -o \
		-type f -print0 | xargs -0 -r grep -IHoiwE -- "$pattern" | sed 's|^\./||' )
}

# Lines "count path".
counts() { found | cut -d: -f1 | LC_ALL=C sort | uniq -c | awk '{n = $1; sub(/^ *[0-9]+ /, ""); print n, $0}'; }

case ${1-} in
--list)
	shift
	grep -IHniwE -- "$pattern" "$@"
	exit
	;;
--update)
	now=$(counts)
	total() { awk '{n += $1} END {print n + 0}'; }
	if [ -f "$allowed" ] && [ "$(echo "$now" | total)" -gt "$(total <"$allowed")" ]; then
		echo "there are more than before: tests/words.sh shows where" >&2
		exit 1
	fi
	echo "$now" >"$allowed"
	exit
	;;
'') ;;
*) echo "usage: tests/words.sh [--update | --list FILE...]" >&2; exit 2 ;;
esac

over=$(counts | awk -v root="$WORDS_ROOT" '
	function base(path) { sub(/.*\//, "", path); return path }
	function gone(path) { return (getline line < (root "/" path)) < 0 }
	NR == FNR { sub(/^/, ""); n = $1; sub(/^[0-9]+ /, ""); granted[$0] = n; path[base($0)] = path[base($0)] " " $0; next }
	{ n = $1; sub(/^[0-9]+ /, ""); now[$0] = n }
	END {
		for (f in now) {
			g = granted[f]
			if (!(f in granted) || g == "") {
				split(path[base(f)], old, " ")
				for (i in old) if (gone(old[i])) g += granted[old[i]]
			}
			if (now[f] > g + 0) print f, now[f], g + 0
		}
	}' "$allowed" -)
[ -z "$over" ] && exit 0
while read -r file n granted; do
	echo "$file has $n of the words in $banned, $granted are granted:"
	( cd "$WORDS_ROOT" && grep -niwE -- "$pattern" "$file" | cut -c1-160 | sed 's/^/    /' )
done <<<"$over"
exit 1
