#!/bin/bash
# Builds each demo with a plain compiler, runs simul on it, compares the result with demos/<name>/expect,
# shows the failing interleaving and replays the recording.
#
#   demos/run.sh [--replays N] [--quiet|--brief] [NAME...]
#
# --quiet prints one line for each demo; --brief also shows the report of the first one, without its counters.
#
# Lines of an expect file:
#   verdict V        "verdict" of the JSON result: bug, complete
#   kind A|B         kind of the bug
#   line REGEX       the text of the source line that the report points to
#   message REGEX    the report's message
#   model M          the memory model to explore: tso, pso. Without it the search must be complete and find nothing
#   fixed OPTION     compiler option that removes the bug
cd "$(dirname "$0")/.." || exit 1
. tests/within.sh
simul=${SIMUL:-$PWD/build/simul}
json() { "${TOOLS:-$PWD/build/tests}/json_get" "$@"; }

replays=1 quiet=0 brief=0
while [ $# -gt 0 ]; do
	case $1 in
	--replays) replays=$2; shift 2 ;;
	--quiet) quiet=1; shift ;;
	--brief) brief=1; shift ;;
	-*) echo "usage: demos/run.sh [--replays N] [--quiet|--brief] [NAME...]" >&2; exit 2 ;;
	*) break ;;
	esac
done
[ $# -gt 0 ] || set -- lost_wakeup lock_order wrong_waiter check_then_act use_after_free cxx_shutdown bounded_queue \
	plain_counter double_checked double_release seqlock aba_stack ticket_lock dekker early_flag work_stealing

say() { [ $quiet = 1 ] || printf '%s\n' "$@"; }
show_file() {
	[ $quiet = 1 ] && return
	if [ $brief = 1 ]; then sed '/^executions: /,/^seconds: /d' "$1"; else cat "$1"; fi | sed 's/^/    /'
}
# Prints a command as the user would type it.
announce() { say "" "  \$ ${*/#"$PWD/"/}"; }

about() { sed -n '1s/^# [a-z_]*: //p' "demos/$demo/README.md"; }
expected() { sed -n "s/^$1 //p" "demos/$demo/expect"; }

# matches WHAT FOUND: whether FOUND matches the line WHAT of the expect file, if there is one.
matches() {
	local pattern
	pattern=$(expected "$1")
	[ -z "$pattern" ] && return 0
	grep -qE -- "^($pattern)\$" <<<"$2" && return 0
	[ "$1" = line ] || [ "$1" = message ] && grep -qE -- "$pattern" <<<"$2" && return 0
	problem="$1: expected $pattern, found $2"
	return 1
}

# build PROGRAM [OPTION]
build() {
	local cc=gcc
	source=demos/$demo/prog.c
	[ -f "$source" ] || { cc=g++; source=demos/$demo/prog.cc; }
	announce $cc -g -pthread ${2+"$2"} -o "$1" "$source"
	$cc -g -pthread ${2+"$2"} -o "$1" "$source"
}

check_report() {
	local where
	matches verdict "$(json "$dir/result.json" verdict)" || return 1
	[ "$(expected verdict)" = bug ] || return 0
	matches kind "$(json "$dir/result.json" bugs.0.kind)" || return 1
	matches message "$(json "$dir/result.json" bugs.0.message)" || return 1
	expect_true confirmed "$(json "$dir/result.json" bugs.0.confirmed)" || return 1
	where=$(json "$dir/result.json" bugs.0.where) || { problem="the report has no place"; return 1; }
	[[ $where == */prog.c* || $where == prog.c* ]] || { problem="the report points to $where, not into the program"; return 1; }
	matches line "$(sed -n "${where##*:}p" "$source")" || { problem="$problem ($where)"; return 1; }
	summary="$(json "$dir/result.json" bugs.0.kind) at $where"
}

# no_bug PROGRAM OPTIONS...: the search is complete and finds nothing.
no_bug() {
	local prog=$1
	shift
	announce "$simul" run "$@" -- "$prog"
	within 120 "$simul" run "$@" --output "$dir" --json "$dir/no_bug.json" -- "$prog" >"$dir/no_bug.txt" 2>&1 </dev/null &&
		[ "$(json "$dir/no_bug.json" verdict)" = complete ] && { [ $quiet = 1 ] || tail -n 1 "$dir/no_bug.txt" | sed 's/^/    /'; return; }
	problem="$(basename "$prog") $*: $(tail -n 1 "$dir/no_bug.txt")"
	return 1
}

expect_true() { [ "$2" = true ] || { problem="$1 is '$2'"; return 1; }; }

# Replays the recording; each replay must report exactly the same failure.
replay() {
	local i first status
	announce "$simul" replay "$recording"
	for ((i = 1; i <= replays; i++)); do
		within 60 "$simul" replay "$recording" >"$dir/replay.txt" 2>&1 </dev/null
		status=$?
		[ $i = 1 ] && cp "$dir/replay.txt" "$dir/replay.first"
		[ $status = 1 ] || { problem="replay $i exited with $status"; cat "$dir/replay.txt"; return 1; }
		cmp -s "$dir/replay.txt" "$dir/replay.first" || { problem="replay $i differs from the first"; diff "$dir/replay.first" "$dir/replay.txt"; return 1; }
	done
	show_file "$dir/replay.first"
	[ "$replays" = 1 ] || say "    ($replays replays, the same failure each time)"
}

run_demo() {
	local status want=0 fixed model
	dir=build/demos${IN_CONTAINER:+-in-container}/$demo
	prog=$dir/prog
	rm -rf "$dir"
	mkdir -p "$dir"
	say "" "== $demo: $(about)"
	build "$prog" || { problem="does not compile"; return 1; }
	model=$(expected model)
	[ -z "$model" ] || no_bug "$prog" || return 1
	set -- ${model:+--model "$model"}
	announce "$simul" run "$@" --output "$dir" -- "$prog"
	within 120 "$simul" run "$@" --output "$dir" --json "$dir/result.json" -- "$prog" >"$dir/run.txt" 2>&1 </dev/null
	status=$?
	show_file "$dir/run.txt"
	[ "$(expected verdict)" = bug ] && want=1
	[ $status = $want ] || { problem="simul run exited with $status, not $want"; [ $quiet = 0 ] || tail "$dir/run.txt"; return 1; }
	check_report || return 1
	if [ $want = 0 ]; then
		summary="no bug, $(json "$dir/result.json" executions) executions, complete"
		return 0
	fi
	recording=$(json "$dir/result.json" bugs.0.recording) || { problem="no recording"; return 1; }
	[ -f "$recording" ] || recording=$dir/$recording
	[ -f "$recording" ] || { problem="the recording $recording is not there"; return 1; }
	# `simul run` has already printed the interleaving; `simul show` only has to work.
	"$simul" show "$recording" >"$dir/show.txt" 2>&1 </dev/null || { problem="simul show exited with $?"; return 1; }
	grep -q '^Schedule' "$dir/show.txt" || { problem="simul show printed no schedule"; return 1; }
	replay || return 1
	fixed=$(expected fixed)
	[ -z "$fixed" ] || { build "$prog.fixed" "$fixed" && no_bug "$prog.fixed" "$@"; }
}

passed=0 failed=0 table=
for demo; do
	problem='' summary=''
	if run_demo; then
		passed=$((passed + 1))
		line=$(printf 'ok   %-16s %s' "$demo" "$summary")
		[ $brief = 0 ] || line=$(printf '%-60s %s' "$line" "$(about)")
	else
		failed=$((failed + 1))
		line=$(printf 'FAIL %-16s %s' "$demo" "$problem")
	fi
	if [ $brief = 1 ] && [ $quiet = 0 ]; then # the first one was shown
		say "" "The others in one line each (demos/run.sh NAME shows one like this):" ""
		quiet=1
	fi
	[ $quiet = 1 ] && echo "$line"
	table+="$line"$'\n'
done
say "" "Summary (what was expected was found, and every bug was replayed):" "" "$table"
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
