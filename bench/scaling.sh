# How the cost of an execution grows: with threads, with operations per thread, with rounds of a barrier, with --jobs. Sourced by run.sh.
# The programs have N threads of R rounds; their searches are far too large to end.

# grown FILE: from lines "events microseconds", the exponent p of the best fit microseconds ~ events^p
grown() {
	awk '{ x = log($1); y = log($2); n++; sx += x; sy += y; xx += x * x; xy += x * y }
		END { d = n * xx - sx * sx; if (n < 2 || d <= 0) exit 1; printf "%.2f\n", (n * xy - sx * sy) / d }' "$1"
}

# sizes WHAT SOURCE ROUNDS N:R...: a row for each size of the program, and a row with the growth
sizes() {
	local what=$1 source=$2 rounds=$3 name i size us events p
	name=$(basename "$source" .c)
	shift 3
	rm -f $dir/s.*
	for size in "$@"; do
		compile "$name$size" "$source" -DN="${size%:*}" -DR="${size#*:}"
	done
	for ((i = 0; ; i++)); do
		turn $i || break
		for size in "$@"; do
			read -r us events < <(pace --isolation rewind -- "$dir/$name$size") && [ -n "$us" ] || exit 1
			echo "$events $us" >>"$dir/s.$size"
		done
	done
	for size in "$@"; do
		events=$(column 1 "$dir/s.$size") us=$(column 2 "$dir/s.$size")
		echo "$events $us" >>$dir/s.all
		[ "$size" = "$1" ] && first=$us
		row "an execution, ${size%:*} threads x ${size#*:} $rounds" "$us" us "$(calc "$us / $first")" "the smallest" \
			"$(printf '%.0f events, %.0f ns each' "$events" "$(calc "$us / $events * 1000")")"
	done
	tail -n 3 $dir/s.all >$dir/s.large
	p=$(grown $dir/s.large) || fail "nothing to fit"
	row "growth with $what: time ~ events^p, p =" "$p" - - - "the three largest: $(awk -v p="$p" \
		'BEGIN { print p < 1.1 ? "not faster than linearly" : p < 1.5 ? "somewhat faster than linearly" : "much faster than linearly" }')"
}

begin scaling 8
# shellcheck disable=SC2086
sizes threads tests/golden/mutex.c "lock rounds" ${BENCH_THREADS:-2:16 4:16 8:16 16:16}
begin scaling 10
# shellcheck disable=SC2086
sizes "operations per thread" tests/golden/mutex.c "lock rounds" ${BENCH_ROUNDS:-3:8 3:16 3:32 3:64 3:128 3:256}
begin scaling 10
# shellcheck disable=SC2086
sizes "rounds of a barrier" bench/barriers.c "barrier rounds" ${BENCH_BARRIERS:-3:64 3:256 3:1024 3:1700}

begin scaling 12
if known '--jobs'; then
	most=$(nproc)
	jobs=1
	for ((j = 2; j <= (most > 2 ? most : 2); j *= 2)); do
		jobs+=" $j"
	done
	rm -f $dir/j.*
	size=${BENCH_JOBS:-4:3} # threads:rounds of a whole search, long enough for the workers that start later to matter
	compile "mutex$size" tests/golden/mutex.c -DN="${size%:*}" -DR="${size#*:}"
	for ((i = 0; ; i++)); do
		turn $i || break
		for j in $jobs; do
			search --isolation rewind --jobs "$j" -- "$dir/mutex$size"
			seconds=$(json $dir/r.json seconds) executions=$(json $dir/r.json executions)
			[ "$j" = 1 ] && one=$seconds
			echo "$(calc "$executions / $seconds") $(calc "$one / $seconds")" >>"$dir/j.$j"
		done
	done
	for j in $jobs; do
		row "executions a second, --jobs $j" "$(column 1 "$dir/j.$j")" /s "$(column 2 "$dir/j.$j")" "--jobs 1" \
			"all $executions of ${size%:*} threads x ${size#*:} lock rounds"
	done
else
	row "executions a second by --jobs" "not measured" - - - "simul run has no --jobs"
fi
