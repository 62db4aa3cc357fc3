#!/bin/bash
# The documentation is consistent: the options that a command accepts, its help, its manual page and the commands in docs/ agree, and every
# link and path exists.
. "$(dirname "$0")/lib.sh"
suite docs

commands=$("$SIMUL" --list-commands | grep -vx help)
# Accepted, but only for tests: no help mentions them.
hidden="run --shuffle"
# Options of other programs that docs/ mention, and stand-ins for any option.
foreign="--block-size --duration --groups --eval --no-print-directory --list-test-names-only --list-tests --list_content --run_test --test-case --update --cflags --name --fast --gtest_filter --gtest_list_tests --show-only --wrapper --print-errorlogs --output-on-failure --no-run --no-exec --exact --test-threads --chaos --sc --optimal --no-commute-rmws --json-file --args --trace-children --array --target"
pages=(README.md docs/*.md explore/README.md demos/README.md demos/*/README.md tests/README.md tests/fuzz/README.md)
for p in "${!pages[@]}"; do [ -f "${pages[p]}" ] || unset "pages[p]"; done

# ---- help, manual pages ----

# Options as sorted lines "--name" and "-n": those in the table of a command; those that it passes on to run, which its help only names; those that
# its manual page has an entry for.
taken() { "$SIMUL" "$1" --list-options | awk -F'\t' '{print $1; if ($2 != "-") print $2}' | LC_ALL=C sort; }
passed_on() { "$SIMUL" help "$1" | sed -n "/^Passed on to 'simul run'/,/^$/p" | grep -oE -- '--[a-z-]+' | LC_ALL=C sort; }
manual() {
	sed 's/\\-/-/g; s/\\f.//g' "docs/simul-$1.1" | awk 'tag && /-/ {print} {tag = ($1 == ".TP")}' |
		grep -E '^\.[A-Z]+ "?-' | grep -oE '(^| |")-(-[a-z0-9-]+|[a-z])' | tr -d ' "' | LC_ALL=C sort
}
# same WHAT WHERE-A WHERE-B: the lists on descriptors 3 and 4 are equal.
same() {
	local a b
	a=$(cat <&3) b=$(cat <&4)
	[ -n "$a" ] || { echo "$1: no options found in $2"; return 1; }
	[ "$a" = "$b" ] && return 0
	LC_ALL=C comm -23 <(echo "$a") <(echo "$b") | sed "s|^|$1: in $2, but not in $3: |"
	LC_ALL=C comm -13 <(echo "$a") <(echo "$b") | sed "s|^|$1: in $3, but not in $2: |"
	return 1
}

options_agree() {
	local c=$1 o bad=0
	[ -s "docs/simul-$c.1" ] || { echo "there is no docs/simul-$c.1"; return 1; }
	same "simul $c" "the table of options" "docs/simul-$c.1" 4< <(manual "$c") \
		3< <(taken "$c" | sed "s/^/$c /" | grep -vxF -- "$hidden" | sed "s/^$c //" | grep -vxFf <(passed_on "$c")) || bad=1
	for o in $(passed_on "$c"); do
		sed 's/\\-/-/g' "docs/simul-$c.1" | grep -qE -- "$o([^a-z-]|$)" || { echo "docs/simul-$c.1 does not name $o, which is passed on"; bad=1; }
	done
	cmp <("$SIMUL" help "$c") <("$SIMUL" "$c" --help) || { echo "simul help $c and simul $c --help print different things"; bad=1; }
	return $bad
}

# The values of each choice are in the help and in the manual page; each line of --list-options is complete. The lines of options that are passed
# on are those of run.
values_agree() {
	local c=$1 name letter kind value values text v bad=0
	while IFS=$'\t' read -r name letter kind value values text; do
		[ "$c $name" = "$hidden" ] && continue
		passed_on "$c" | grep -qxF -- "$name" && continue
		[ "$text" != - ] || { echo "simul $c $name: it has no help"; bad=1; }
		[ "$kind" = flag ] || [ "$value" != - ] || { echo "simul $c $name: the help does not name its value"; bad=1; }
		[ "$kind" = choice ] || continue
		[[ $value != *\|* ]] || expect_eq "values of $c $name in the help" "$(tr ' ' '\n' <<<"$values" | sort)" "$(tr '|' '\n' <<<"$value" | sort)" || bad=1
		for v in $values; do
			"$SIMUL" help "$c" | sed -n "/^  .*$name /,/^  -/p" | grep -qw -- "$v" || { echo "simul help $c: $name has no $v"; bad=1; }
			sed 's/\\-/-/g' "docs/simul-$c.1" | sed -n "/^\.B.*$name/,/^\.TP/p" | grep -qw -- "$v" || { echo "docs/simul-$c.1: $name has no $v"; bad=1; }
		done
	done < <("$SIMUL" "$c" --list-options)
	return $bad
}

overview() {
	local c bad=0
	for c in $commands; do
		"$SIMUL" help | grep -q "^  simul $c " || { echo "simul help has no line for simul $c"; bad=1; }
		[ "$(grep -c "simul\\\\-$c (1)" docs/simul.1)" -ge 2 ] || { echo "docs/simul.1 does not list simul-$c(1) under COMMANDS and SEE ALSO"; bad=1; }
	done
	return $bad
}

# Manual pages are well-formed, have what every page has, and refer to pages that exist.
manual_pages() {
	local m page bad=0
	command -v groff >/dev/null || { echo "there is no groff"; return 77; }
	for m in docs/*.[1-8]; do
		expect_eq "groff on $m" "" "$(groff -man -Tutf8 -ww "$m" 2>&1 >/dev/null)" || bad=1
		grep -q '^\.TH .*"simul @VERSION@"' "$m" || { echo "$m: .TH does not have \"simul @VERSION@\""; bad=1; }
		for page in NAME SYNOPSIS DESCRIPTION "SEE ALSO"; do
			[[ $m == *.5 && $page == SYNOPSIS ]] && continue
			grep -qE "^\.SH \"?$page\"?$" "$m" || { echo "$m has no section $page"; bad=1; }
		done
		while read -r page; do
			[ -s "docs/$page" ] || { echo "$m refers to $page, which does not exist"; bad=1; }
		done < <(sed 's/\\-/-/g' "$m" | grep -oE '\b(simul-[a-z]+|simul) \([1-8]\)' | sed 's/ (\(.\))/.\1/' | sort -u)
	done
	return $bad
}

# The page of simul.h has the declarations of the header, except internal ones.
header_page() {
	expect_eq "functions of docs/simul.h.3" \
		"$(grep -oE '^SIMUL_INLINE (int|void) simul_[a-z_]+\(' include/simul.h | grep -oE 'simul_[a-z_]+' | LC_ALL=C sort | paste -sd' ')" \
		"$(sed -n '/^\.SH SYNOPSIS/,/^\.SH DESC/p' docs/simul.h.3 | grep -oE '\bsimul_[a-z_]+' | LC_ALL=C sort | paste -sd' ')"
}

# ---- docs ----

# Turns headings into anchors as GitHub does.
anchors() { sed -n 's/^##* *//p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'; }

# Links outside of code blocks: "FILE TARGET".
links() {
	awk '/^ *```/ {code = !code; next} !code {
		line = $0; gsub(/`[^`]*`/, "", line)
		while (match(line, /\]\([^)]*\)/)) { print FILENAME, substr(line, RSTART + 2, RLENGTH - 3); line = substr(line, RSTART + RLENGTH) } }' "$@"
}

links_exist() {
	local from to file bad=0 seen=0
	while read -r from to; do
		[[ $to == http*://* ]] && continue
		seen=$((seen + 1))
		file=$(dirname "$from")/${to%%#*}
		[ -n "${to%%#*}" ] || file=$from
		[ -e "$file" ] || { echo "$from: the link $to leads nowhere"; bad=1; continue; }
		[[ $to != *#* ]] || anchors "$file" | grep -qxF -- "${to#*#}" || { echo "$from: $to: no such heading"; bad=1; }
	done < <(links "$@")
	[ $seen -gt 0 ] || { echo "no links found"; return 1; }
	return $bad
}

# Paths between backquotes that begin with a folder of the tree.
paths_exist() {
	local from path bad=0 seen=0
	while IFS=: read -r from path; do
		path=${path//\`/}
		[[ $path == *[{\<]* || $path == *COMMAND* || $path == build/* ]] && continue
		seen=$((seen + 1))
		compgen -G "$path" >/dev/null || { echo "$from: there is no $path"; bad=1; }
	done < <(grep -oHE '`(base|sched|explore|preload|recorder|replay|cli|tests|bench|demos|docs|packaging|completion)/[A-Za-z0-9_./*-]+`' "$@")
	[ $seen -gt 0 ] || { echo "no paths found"; return 1; }
	return $bad
}

# Each "simul COMMAND OPTIONS" in FILE, up to the program, a comment or another command.
commands_in() {
	sed 's/\\-/-/g' "$1" | grep -oE "\\bsimul ($(paste -sd'|' <<<"$commands"))( [^\`#\"|;&]*)?" | sed 's/ -- .*//'
}
options_exist() {
	local f text c o bad=0 seen=0 all
	all=" --help --version --list-commands --list-options $foreign $(for c in $commands; do taken "$c"; done | tr '\n' ' ')"
	for c in $commands; do taken "$c" >"$dir/$c"; done
	for f in "$@" docs/*.[1-8]; do
		while read -r _ c text; do
			for o in $(grep -oE '(^| )--?[a-z][a-z0-9-]*' <<<" $text"); do
				[ "$o" = --help ] && continue
				seen=$((seen + 1))
				grep -qxF -- "$o" "$dir/$c" || { echo "$f: simul $c has no option $o (in: simul $c $text)"; bad=1; }
			done
		done < <(commands_in "$f")
		for o in $(sed 's/\\-/-/g' "$f" | grep -oE '(^|[ `(])--[a-z][a-z0-9_-]*' | tr -d ' `(' | sort -u); do
			[[ $all == *" $o "* ]] || { echo "$f: no command has the option $o"; bad=1; }
		done
	done
	[ $seen -gt 20 ] || { echo "only $seen options found in commands"; return 1; }
	return $bad
}

# PAGE...: each source file, or its header, is named on one of these pages, alone or by a pattern (hook_*.c).
files_named() {
	local f base name words bad=0 seen=0
	mapfile -t words < <(grep -ohE '[A-Za-z0-9_*]+(\.[A-Za-z0-9]+)?' "$@" | grep -E '\.|...\*' | sort -u)
	for f in {base,sched,explore,preload,recorder,replay,cli}/{,*/,*/*/}*.{c,S,py}; do
		[ -e "$f" ] || continue
		seen=$((seen + 1))
		base=${f##*/}
		for name in "${words[@]}"; do
			# shellcheck disable=SC2053
			[[ $base == $name || ${base%.*} == $name || ${base%.*}.h == "$name" ]] && continue 2
		done
		echo "${1##*/}: says nothing of $f"
		bad=1
	done
	[ $seen -gt 0 ] || { echo "no files found"; return 1; }
	return $bad
}

# The example of howto-explore.md prints what the page shows.
example_of_explore() {
	local page=docs/howto-explore.md said
	sed -n '/^```cpp$/,/^```$/p' "$page" | sed '1d;$d' >"$dir/queue_test.cc"
	cd "$dir" && g++ -g -pthread -o queue_test queue_test.cc -lgtest -lgtest_main && ./queue_test >native || { cat native; return 1; }
	for said in Push:complete: Close:bug; do
		"$SIMUL" run -q -- ./queue_test --gtest_filter=Queue.${said%%:*} >out 2>&1
		said=$(grep -o "^simul: ${said#*:}[^,(]*" "$top/$page" | head -n 1)
		[ -n "$said" ] && grep -qF -- "${said% }" out || { echo "$page says \"$said\", but:"; tail -n 1 out; return 1; }
	done
}

# The list of pages names every page.
listed() {
	local f bad=0
	for f in docs/*.md; do
		[ "$f" = docs/README.md ] || links docs/README.md | grep -qxF "docs/README.md ${f#docs/}" || { echo "docs/README.md does not list ${f#docs/}"; bad=1; }
	done
	return $bad
}

# TABLE: each row says how the verdict speaks of a limit, and names tests that exist.
verdicts_shown() {
	local what how test path bad=0 seen=0
	while IFS='|' read -r _ what how test _; do
		seen=$((seen + 1))
		[[ $how =~ ^\ (explored|words:\ .|no\ bug\ is\ lost) ]] || { echo "$1: $what: says '$how'"; bad=1; }
		[[ $test == *\`tests/* ]] || { echo "$1: $what: names no test"; bad=1; }
		for path in $(grep -oE 'tests/[A-Za-z0-9_./-]+' <<<"$test"); do
			[ -e "$path" ] || { echo "$1: $what: there is no $path"; bad=1; }
		done
	done < <(sed -n '/^|---/,$p' "$1" | grep '^| ')
	[ $seen -gt 20 ] || { echo "$1: only $seen rows found"; return 1; }
	return $bad
}

# PAGE: has the words of every exception that a verdict may name.
exceptions_named() {
	local words n=0 bad=0
	while IFS= read -r words; do
		n=$((n + 1))
		grep -qF "except for $words |" "$1" || { echo "$1: no row says 'except for $words'"; bad=1; }
	done < <(sed -nE 's/^EXCEPTION\(.*, "(.*)"\)$/\1/p' base/exceptions.def)
	[ $n -gt 4 ] || { echo "only $n exceptions found"; return 1; }
	return $bad
}

# Each check finds the mistake in a file that has exactly one.
notices() {
	local what=$1 text=$2 check=$3
	printf '# A heading\n[ok](good.md) simul run --time 5s --quiet -- ./x\n`docs/format.md`\n%s\n' "$text" >"$dir/bad.md"
	: >"$dir/good.md"
	! $check "$dir/bad.md" >"$dir/said" 2>&1 || { echo "$check does not notice $what"; return 1; }
	grep -q "bad.md: .*$what" "$dir/said" || { cat "$dir/said"; echo "$check does not tell of $what"; return 1; }
}
mistakes_noticed() {
	notices nowhere.md '[x](nowhere.md)' links_exist && notices '#no-heading' '[x](#no-heading)' links_exist &&
		notices cli/gone.c '`cli/gone.c`' paths_exist && notices --tims '`simul replay --tims 3 x.simul`' options_exist &&
		notices cli/main.c 'all but one' files_named &&
		notices --no-such 'use `--no-such`' options_exist && notices --times 'simul run --times 3 -- ./t' options_exist
}

run_case "overview of commands" overview
for c in $commands; do
	run_case "options of $c" options_agree "$c"
	run_case "values of $c" values_agree "$c"
done
run_case "manual pages" manual_pages
run_case "page of simul.h" header_page
run_case "links" links_exist "${pages[@]}"
run_case "paths" paths_exist "${pages[@]}"
run_case "files" files_named docs/architecture.md docs/{calls,files,nightly,porting,processes,rewinding}.md explore/README.md
run_case "options in docs" options_exist "${pages[@]}"
run_case "list of pages" listed
run_case "limits and verdicts" verdicts_shown docs/limits-and-verdicts.md
run_case "exceptions" exceptions_named docs/limits-and-verdicts.md
run_case "example of howto-explore.md" example_of_explore
run_case "mistakes are noticed" mistakes_noticed
# The table of calls in shared.md is that of the code.
run_case "tables of tests/README.md" tests/suites.sh --check
run_case "table of what calls share" python3 tests/shared/table.py --check docs/shared.md
finish
