# Shared by the test suites (sourced, not run). A suite is a script that runs cases and ends with the line
# "N passed, M failed"; its exit status is 0 only if something ran and nothing failed.
#
#   . tests/lib.sh
#   suite NAME             starts a suite: makes its folder ($work), no case has run yet
#   run_case NAME CMD...   runs CMD in the background, at most $JOBS at a time. Exit status 0 passes;
#                          anything else fails, and the case's output is shown. 77 = cannot run here (the case
#                          prints the reason): a failure, unless apt-get is missing. 78 = no package could change that.
#   finish                 waits, prints the failures and the last line, exits
#
# FILTER=TEXT runs only the cases whose suite and name ("golden lastzero(8) sc") contain TEXT.
# FILTER also turns off the selection of similar cases. LIST=1 prints the names of the cases that would run.
# Which of many similar cases `make test` runs depends only on the name of the case, so a new case does not change the selection. SEED=NUMBER selects others.
#
# A case creates its files in "$dir" (its own folder, kept if the case fails).
# $work/times holds the processor time of each case: seconds, name.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
FILTER=${FILTER-}
top=$PWD
. tests/within.sh
end_all_on_interrupt
SIMUL=${SIMUL:-$top/build/simul}
TOOLS=${TOOLS:-$top/build/tests}
JOBS=${JOBS:-$(($(nproc 2>/dev/null || echo 2) + 1))} # one more than processors, since some cases wait for timeouts or killed processes
CASE_SECONDS=${CASE_SECONDS:-120} # a case that takes longer on an idle machine has failed

export XDG_STATE_HOME=$top/build/check/state # the key that recordings are signed with
# IN_CONTAINER=1 tests/NAME.sh: simul runs as in a container (tests/lib/container.c), where address randomisation cannot be switched off.
if [ -n "${IN_CONTAINER-}" ]; then
	SIMUL_OUTSIDE=$SIMUL
	SIMUL=$TOOLS/simul-in-container
	printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$TOOLS/container" "$SIMUL_OUTSIDE" >"$SIMUL.$$"
	chmod +x "$SIMUL.$$" && mv "$SIMUL.$$" "$SIMUL"
fi

export SIMUL_TEST_LENGTHY=3600000 # milliseconds, so that auto does not go on with windows where the machine is slow
export SIMUL_TEST_MINIMIZE=60 # seconds, so that what is recorded does not depend on how fast the machine is

declare -A is_expensive
while IFS= read -r line; do is_expensive[$line]=1; done <tests/expensive

suite() {
	suite_name=$1 suite_started=$SECONDS
	work=$top/build/check/$suite_name${IN_CONTAINER:+-in-container}
	rm -rf "$work"
	mkdir -p "$work"
	: >"$work/results"
	: >"$work/times"
}

# name_hash TEXT: sets hash to a number from 0 to 2^31 - 1 that depends on TEXT and SEED alone.
name_hash() {
	local LC_ALL=C text=${SEED-}_${1//[^a-zA-Z0-9@_]/_}
	hash=0
	while [ -n "$text" ]; do # ten characters are a number of base 64
		hash=$(((hash ^ 64#${text:0:10}) * 0x1e3779b97f4a7c15))
		hash=$((hash ^ (hash >> 29 & 0x7ffffffff)))
		text=${text:10}
	done
	hash=$((hash >> 16 & 0x7fffffff))
}

# Succeeds if all cases run, also the similar ones: always, except in `make test` without FILTER.
all_cases() { [ -n "$FILTER" ] || [ "${SUITE_MODE-}" != full ]; }

# of_many N NAME: succeeds if this one of many similar cases runs. `make test` runs about one of N, selected by the hash of its name.
of_many() {
	local hash
	all_cases && return 0
	name_hash "$suite_name $2"
	[ $((hash % $1)) = 0 ]
}

# one_of NAME GROUP...: succeeds if this case of the group runs. `make test` runs exactly one of them: the one with the smallest hash.
one_of() {
	local hash mine other
	all_cases && return 0
	name_hash "$suite_name $1"
	mine=$hash
	for other in "${@:2}"; do
		name_hash "$suite_name $other"
		[ $hash -ge $mine ] || return 1
	done
}

# left_out NAME: succeeds if the case does not run. With CASE_EVERY=N about one of N cases runs, in `make test` about half as many of those in
# tests/expensive, and at most one of three of them. always=1 run_case ... runs a case anyway.
left_out() {
	local every=${CASE_EVERY:-1} hash
	[ -z "$FILTER${always-}" ] || return 1
	[ "${SUITE_MODE-}" != full ] || [ -z "${is_expensive["$suite_name $1"]-}" ] || every=$((every * 2 > 3 ? every * 2 : 3))
	[ "$every" != 1 ] || return 1
	name_hash "every $suite_name $1"
	[ $((hash % every)) != 0 ]
}

# centiseconds TIME...: sets sum to the sum of such times as 1m2.345s
centiseconds() {
	local t
	sum=0
	for t in "$@"; do
		[[ $t =~ ^([0-9]+)m([0-9]+)[.,]([0-9][0-9]) ]] && ((sum += (BASH_REMATCH[1] * 60 + 10#${BASH_REMATCH[2]}) * 100 + 10#${BASH_REMATCH[3]}))
	done
}

declare -A has_case
# A process takes up to 20 ms on a virtual machine, so bash does here what it can do itself.
run_case() {
	local name=$1 file
	shift
	[[ "$suite_name $name" == *"$FILTER"* ]] || return 0
	left_out "$name" && return 0
	[ -z "${LIST-}" ] || { echo "$suite_name: $name"; return 0; }
	file=${name//[^A-Za-z0-9._+-]/_}
	if [ -n "${has_case[$file]-}" ]; then # they would run at the same time in one folder
		echo "FAIL $name (there is another case with this name)" | tee -a "$work/results"
		return 0
	fi
	has_case[$file]=1
	while running=() && jobs -rp >"$work/running" && mapfile -t running <"$work/running" && [ ${#running[@]} -ge "$JOBS" ]; do
		wait -n
	done
	(
		dir=$work/$file
		mkdir -p "$dir"
		( "$@" ) >"$dir/case.log" 2>&1
		status=$?
		result=FAIL
		[ $status = 0 ] && result=ok
		[ $status = 77 ] && ! command -v apt-get >/dev/null && result=skip
		[ $status = 78 ] && result=skip
		{
			echo "$result $name"
			[ $result = ok ] || sed 's/^/    /' "$dir/case.log" | tail -n 40
			[ $result = FAIL ] && echo "    (exit status $status; files are in ${dir#"$top"/})"
		} >"$dir/result"
		echo "$result $name" >>"$work/results"
		mapfile said <"$dir/result"
		printf %s "${said[@]}"
		times >"$dir/times" # not in a pipe: there they would be those of another shell
		{ read -r _ && read -r user system; } <"$dir/times"
		centiseconds "$user" "$system"
		printf '%d.%02d %s\n' $((sum / 100)) $((sum % 100)) "$name" >>"$work/times"
		[ $result = FAIL ] || rm -rf "$dir"
	) </dev/null &
}

# Prints the time that the suite took so far, and the processor time of its cases.
suite_seconds() { echo "$((SECONDS - suite_started)) s, $(awk '{s += $1} END {printf "%.0f", s}' "$work/times") s of the processors"; }

finish() {
	wait
	local passed failed
	passed=$(grep -c '^ok ' "$work/results")
	failed=$(grep -c '^FAIL ' "$work/results")
	[ -z "${LIST-}" ] || exit 0
	echo "$suite_name took $(suite_seconds)"
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ] && [ $((passed + ${#FILTER})) -gt 0 ] || exit 1
	exit 0
}

# simul_run ARGS...: the command under test with a time limit, so that a hang is a failure and not the end.
simul_run() { within "$CASE_SECONDS" "$SIMUL" "$@"; }

# broken_build FILE FROM TO: builds simul in $dir/tree/build with a broken library: TO replaces FROM, which FILE must have exactly once.
broken_build() {
	local tree=$dir/tree
	mkdir -p "$tree" || return 1
	cp -a Makefile base cli completion explore include preload recorder replay sched "$tree/" || return 1
	[ ! -e config.mak ] || cp -a config.mak "$tree/"
	mkdir -p "$tree/build" && cp -a build/obj build/simul build/lib*.so* "$tree/build/" || return 1
	python3 - "$tree/$1" "$2" "$3" <<-'END' || return 1
		import sys
		path, old, new = sys.argv[1:]
		text = open(path).read()
		assert text.count(old) == 1, f"{path}: '{old}' is not there once"
		open(path, "w").write(text.replace(old, new))
	END
	make -C "$tree" build/libsimul.so
}

# expect_eq WHAT EXPECTED FOUND
expect_eq() {
	[ "$2" = "$3" ] && return 0
	echo "$1: expected '$2', found '$3'"
	return 1
}

# json FILE KEY[.KEY|.INDEX]...: prints that value of a JSON file. Fails if it is missing, and prints a text that names the file, so that a
# comparison of two files that lack a value fails too.
json() { "$TOOLS/json_get" "$@" || { echo "($1 has no $2)"; return 1; }; }

# show_cmd COMMAND...: prints the command that repeats a step, for the log.
show_cmd() { echo "command: $*"; }

# random_programs SCRIPT PROGRAMS BATCH OPTIONS...: cases in which SCRIPT (with tests/lib/outcomes.py) compares random programs with its oracle; each
# one with the next of the options. SEED: the seed before the first one.
random_programs() {
	local script=$1 left=$2 batch=$3 seed=${SEED:-0} i
	shift 3
	local options=("$@")
	for ((i = 0; left > 0; left -= batch, i++)); do
		run_case "random programs of $(basename "$script" .py), seed $((++seed)), ${options[i % ${#options[@]}]}" \
			compare_random "$script" $seed $((left < batch ? left : batch)) "${options[i % ${#options[@]}]}"
	done
}
compare_random() { # SCRIPT SEED PROGRAMS OPTIONS
	SIMUL=$SIMUL timeout "$CASE_SECONDS" python3 "$1" --seed "$2" --programs "$3" --options="$4" --dir "$dir"
}
# broken_random SCRIPT FILE FROM TO SEED [PROGRAMS]: some of the programs must differ with a library in which TO replaces FROM in FILE.
broken_random() {
	broken_build "$2" "$3" "$4" || return 1
	if SIMUL=$dir/tree/build/simul timeout "$CASE_SECONDS" python3 "$1" --seed "$5" --programs "${6-20}" --dir "$dir" >"$dir/said" 2>&1; then
		echo "the comparison did not detect the broken library"
		return 1
	fi
	grep ': [1-9][0-9]* differ$' "$dir/said" && rm -rf "$dir/tree"
}
