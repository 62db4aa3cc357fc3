#!/bin/bash
# Programs on which a verdict was once wrong, never came, or claimed too much (tests/defects/), and bugs of published packages, reduced
# (tests/found/). The comment at the head of each states the expected result; tests/defects/README.md describes the format.
#
#   tests/defects.sh [NAME]   only the programs whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite defects

# read_head FILE: sets the arrays build, check, long, libs and needs to the lines " * KEY: ..." of that name in the comment at the head of FILE.
read_head() {
	local line
	build=() check=() long=() libs=() needs=()
	while IFS= read -r line && [[ $line != *'*/'* ]]; do
		[[ $line =~ ^' * '(build|check|long|libs|needs):' '*(.*) ]] || continue
		local -n lines=${BASH_REMATCH[1]}
		lines+=("${BASH_REMATCH[2]}")
	done <"$1"
}

# compile SOURCE BUILD PROGRAM: runs the commands of BUILD, where @OUT@ is the program, @SRC@ the source, @DIR@ a folder of its own.
compile() {
	local cmd=$2
	cmd=${cmd//@OUT@/$3} cmd=${cmd//@SRC@/$top/$1} cmd=${cmd//@DIR@/$dir}
	[[ $2 == *@OUT@* ]] || cmd+=" -D_GNU_SOURCE -I$top/include -o $3 $top/$1 ${cmd_libs-}"
	show_cmd "$cmd"
	bash -c "$cmd"
}

# check SOURCE BUILD LIBS NEEDS LINE
check() {
	local prog=${1##*/} cmd_libs=$3 needs=$4 line=$5 wants options args env=() verdict status key value want_status=0
	prog=$dir/${prog%.*}
	wants=${line%%:*} line=" ${line#*:} "
	options=${line%%" -- "*} args=
	while [[ $options =~ ^\ *([A-Z_]+=[^ ]*)(.*) ]]; do
		env+=("${BASH_REMATCH[1]}") options=${BASH_REMATCH[2]}
	done
	[[ $line == *" -- "* ]] && args=${line#*" -- "}
	[ -z "$needs" ] || [ -w "$needs" ] || { echo "this user cannot write to $needs"; return 78; }
	compile "$1" "$2" "$prog" || return 1
	options=${options//@DIR@/$dir} args=${args//@DIR@/$dir}
	show_cmd "${env[*]} $SIMUL run $options -- $prog $args"
	ls -A "$dir" >"$dir/before"
	# shellcheck disable=SC2086
	( [ ${#env[@]} = 0 ] || export "${env[@]}"; cd "$dir" && simul_run run --output "$dir/out" --json "$dir/r.json" $options -- "$prog" $args ) >"$dir/run.out" 2>&1
	status=$?
	read -r verdict wants <<<"$wants"
	[ "$verdict" = bug ] && want_status=1
	[ "$verdict" = refused ] && want_status=2 verdict=incomplete
	if ! check_result; then
		echo "exit status $status"
		tail -n 30 "$dir/run.out"
		return 1
	fi
}

check_result() {
	local want
	expect_eq "exit status" $want_status $status && expect_eq verdict "$verdict" "$(json "$dir/r.json" verdict)" || return 1
	for want in $wants; do
		key=${want%%=*} value=${want#*=}
		case $key in
		traces) expect_eq "distinct traces" "$value" "$(json "$dir/r.json" distinct_traces)" || return 1 ;;
		kind) expect_eq "kind of bug" "$value" "$(json "$dir/r.json" bugs.0.kind)" || return 1 ;;
		isolation) expect_eq isolation "$value" "$(json "$dir/r.json" isolation)" || return 1 ;;
		says) grep -qE -- "${value//_/ }" "$dir/run.out" || { echo "nothing in its output matches '${value//_/ }'"; return 1; } ;;
		never) ! grep -qE -- "${value//_/ }" "$dir/run.out" || { echo "its output matches '${value//_/ }'"; return 1; } ;;
		replays) simul_run replay --times "$value" "$dir"/out/*.simul; expect_eq "exit status of the replay" 1 $? || return 1 ;;
		leaves) expect_eq "files that it left" "" "$(cd "$dir" && ls -A | grep -vxF -f before -e before -e out -e r.json -e run.out)" || return 1 ;;
		*) echo "unknown expectation '$want'"; return 1 ;;
		esac
	done
	[ "$verdict" != bug ] || expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)"
}

default_build() { if [[ $1 == *.c ]]; then echo "gcc -g -O1 -pthread"; else echo "g++ -g -O1 -std=c++17 -pthread"; fi; }

for src in tests/{defects,found}/*"${1-}"*.{c,cpp}; do
	[ -e "$src" ] || continue
	name=${src##*/} name=${name%.*}
	read_head "$src"
	[ ${#build[@]} -gt 0 ] || build=("$(default_build "$src")")
	[ ${#check[@]} -gt 0 ] || run_case "$name: nothing is expected" false
	[ "${SUITE_MODE-}" = full ] || check+=("${long[@]}")
	for b in "${build[@]}"; do
		for c in "${check[@]}"; do
			# each program once, and a part of its other checks
			[ "$b$c" = "${build[0]}${check[0]}" ] || of_many 3 "$name, $b, $c" || continue
			run_case "$name, $b, $c" check "$src" "$b" "${libs[*]}" "${needs[*]}" "$c"
		done
	done
done
finish
