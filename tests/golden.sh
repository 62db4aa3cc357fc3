#!/bin/bash
# The golden table: the number of executions must be the number of traces, under each memory model, whatever compiled the
# program and whichever sensor sees its memory: plain binaries that are patched, and binaries built with -fsanitize=thread.
#
#   tests/golden.sh [NAME]   only the rows whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite golden

table_rows=64 # rows with numbers; the suite fails if one is missing
small=60      # rows with at most this many traces run in every way
large=1500    # rows with more traces run in few ways

# count NAME MODEL EXPECTED PROGRAM OPTIONS...: runs it and compares executions, distinct traces and the verdict
count() {
	local name=$1 model=$2 expected=$3 prog=$4 verdict=complete found blocked
	shift 4
	[[ $name == *deadlock* ]] && verdict=bug
	[ "$model" = sc ] || set -- --model "$model" "$@"
	show_cmd "$SIMUL run --keep-going $* -- $prog"
	simul_run run --strategy optimal --keep-going --quiet --output "$dir/out" --json "$dir/r.json" "$@" -- "$prog"
	found=$?
	[ $verdict = bug ] && { [ $found = 1 ] || { echo "exit status $found"; return 1; }; }
	[ $verdict = bug ] || [ $found = 0 ] || { echo "exit status $found"; return 1; }
	expect_eq verdict $verdict "$(json "$dir/r.json" verdict)" &&
		expect_eq model "$model" "$(json "$dir/r.json" model)" &&
		expect_eq "distinct traces" "$expected" "$(json "$dir/r.json" distinct_traces)" || return 1
	if [ $verdict = bug ]; then
		expect_eq "kind of bug" deadlock "$(json "$dir/r.json" bugs.0.kind)" &&
			expect_eq "different bugs" 1 "$(json "$dir/r.json" bugs.#)" || return 1
	fi
	[[ " $* " == *" source "* ]] && return 0 # Source-DPOR may explore a trace more than once
	blocked=$(json "$dir/r.json" blocked)
	expect_eq executions "$expected" "$(json "$dir/r.json" executions)" || return 1
	[ "$model" = pso ] || { expect_eq "blocked executions" 0 "$blocked"; return; }
	# Under PSO some executions may be redundant; the end of the suite shows how many.
	[ "$blocked" = 0 ] || echo "$blocked $name $*" >>"$work/blocked"
}

# built PROGRAM SOURCE DEFINES COMPILER OPTIONS... -- COMMAND...: compiles the program unless it exists, then runs COMMAND
built() {
	local prog=$1 source=$2 defines=$3 cc=$4 flags=
	shift 4
	while [ "$1" != -- ]; do flags+=" $1"; shift; done
	shift
	[ "$defines" = - ] && defines=
	# Two cases may compile it at the same time; mv replaces it atomically.
	# shellcheck disable=SC2086
	[ -x "$prog" ] || { $cc $flags -g -pthread $defines -o "$prog.$BASHPID" "tests/golden/$source" &&
		mv "$prog.$BASHPID" "$prog"; } || return 1
	"$@"
}

# try MODEL EXPECTED COMPILER OPT SENSOR [WAY [OPTIONS...]]: one case of the row; SENSOR patch or tsan
try() {
	local model=$1 expected=$2 cc=$3 opt=$4 sensor=$5 way=${6-} flags=$4 prog
	shift $(($# > 6 ? 6 : $#))
	[ "$model$cc$opt$sensor$way" = scgcc-O2patch ] || of_many 10 "$name $model $cc $opt $sensor $way" || return 0
	prog=$work/bin/${name//\//_}$cc$opt$sensor
	if [ "$sensor" = tsan ]; then
		flags+=" -fsanitize=thread"
		[ "$cc" = clang ] && flags+=" -shared-libsan"
	fi
	# shellcheck disable=SC2086
	run_case "$name $model $cc $opt $sensor $way" built "$prog" "$source" "$defines" $cc $flags -- \
		count "$name" "$model" "$expected" "$prog" "$@"
}

# All compilers, levels and sensors, and all ways to search (large rows: some).
row_sc() {
	local n=$1 cc opt sensor
	for cc in gcc clang; do
		for opt in -O0 -O2; do
			for sensor in patch tsan; do
				[ "$n" -le $large ] || [[ $cc$opt =~ gcc-O2|clang-O0 ]] || continue
				try sc "$n" $cc $opt $sensor
			done
		done
	done
	try sc "$n" gcc -O2 patch "shuffled 7" --shuffle 7
	[ "$n" -le $small ] || return 0
	try sc "$n" gcc -O2 patch "shuffled 12345" --shuffle 12345
	try sc "$n" gcc -O2 patch source --strategy source
	try sc "$n" gcc -O2 patch "kernel threads" --threads kernel
	[ "$n" -le 24 ] || return 0
	try sc "$n" gcc -O2 patch exec --isolation exec
}

# With store buffers: both sensors for all rows, the rest for small ones. (clang's fences are mfence, gcc's locked instructions.)
row_weak() {
	local model=$1 n=$2
	try "$model" "$n" gcc -O2 patch
	try "$model" "$n" gcc -O2 tsan
	[ "$n" -le $large ] || return 0
	try "$model" "$n" gcc -O2 patch "shuffled 7" --shuffle 7
	[ "$n" -le $small ] || return 0
	try "$model" "$n" clang -O2 patch
	try "$model" "$n" gcc -O2 tsan "shuffled 12345" --shuffle 12345
	try "$model" "$n" gcc -O2 patch source --strategy source
	[ "$model" = tso ] || return 0
	try tso "$n" gcc -O0 patch
	try tso "$n" clang -O0 tsan
	try tso "$n" gcc -O2 patch "kernel threads" --threads kernel
	[ "$n" -le 24 ] || return 0
	try tso "$n" gcc -O2 patch exec --isolation exec
}

mkdir -p "$work/bin"
: >"$work/blocked"
rows=0
while IFS=$'\t' read -r name source defines sc tso pso _; do
	[ "$name" != name ] || continue
	[[ "$sc $tso $pso" =~ ^[0-9]+\ [0-9]+\ [0-9]+$ ]] || { run_case "$name: a number is missing in the table" false; continue; }
	rows=$((rows + 1))
	[[ $name == *"${1-}"* ]] || continue
	row_sc "$sc"
	row_weak tso "$tso"
	row_weak pso "$pso"
done <tests/golden/golden.tsv
run_case "the table has all $table_rows rows" expect_eq "rows" $table_rows $rows
wait
awk '{n += $1} END {print "blocked under PSO: " n + 0 " executions, in " NR " of the searches"}' "$work/blocked"
finish
