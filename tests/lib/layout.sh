#!/bin/bash
# The lines of C code that changed since REVISION (default: HEAD, so what is not committed yet) have the layout of .clang-format, and at most 120 columns.
# Spaces inside a line are free: comments may be aligned. Lines of macros that go on are left out.
#
#   tests/lib/layout.sh [REVISION]
cd "$(dirname "$0")/../.." || exit 1
command -v clang-format >/dev/null || { echo "layout: there is no clang-format; install it to check the layout"; exit 77; }
bad=0
while read -r file; do
	[ -e "$file" ] || continue
	mapfile -t ranges < <(git diff -U0 "${1-HEAD}" -- "$file" | sed -nE 's/^@@ -[0-9,]+ \+([0-9]+)(,([0-9]+))? @@.*/\1 \3/p' |
		while read -r from n; do [ "${n:-1}" = 0 ] || echo "--lines=$from:$((from + ${n:-1} - 1))"; done)
	[ ${#ranges[@]} = 0 ] && continue
	wanted=$(clang-format "${ranges[@]}" "$file" | diff -w --unchanged-line-format= --old-line-format="$file:%dn: %L" --new-line-format=  "$file" - | grep -v '\\$')
	long=$(for r in "${ranges[@]}"; do r=${r#--lines=}; sed -n "${r%:*},${r#*:}p" "$file" | expand -t 8 | awk -v f="$file" -v n="${r%:*}" 'length > 120 {print f ":" n + NR - 1 ": " length " columns"}'; done)
	[ -z "$wanted$long" ] || { echo "$wanted"; echo "$long"; bad=1; }
done < <(git diff --name-only "${1-HEAD}" -- '*.c' '*.h')
exit $bad
