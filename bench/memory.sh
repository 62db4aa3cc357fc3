# Peak memory of all processes of a search: sourced by run.sh. It is sampled, so these runs are not timed.
begin memory 6
compile tree_memory bench/tree_memory.c
[ -x $dir/rounds ] || compile rounds bench/rounds.c

# peak_kb COMMAND...: of all its processes together
peak_kb() {
	"$dir/tree_memory" $dir/kb "$@" >$dir/log 2>&1 </dev/null || { cat $dir/log >&2; fail "fails: $*"; }
	cat $dir/kb
}
for isolation in rewind fork exec; do
	rm -f $dir/m.kb
	n=${BENCH_EXECUTIONS:-1680}
	[ $isolation = exec ] && n=$((n / 20 + 1))
	for ((i = 0; i < 3; i++)); do
		turn $i || break
		peak_kb "$simul" run --strategy optimal --quiet --executions $n --isolation $isolation --output $dir/out -- $dir/rounds - >>$dir/m.kb || exit 1
	done
	row "peak memory, --isolation $isolation" "$(calc "$(median <$dir/m.kb) / 1024")" MB - - "sum of the PSS of all processes, sampled"
done

# The memory of the search itself, at three points of a search with 15,360 traces: optimal stores planned executions, trust the path to the current one.
compile lastzero12 tests/golden/lastzero.c -I tests/golden -DN=12
for part in 16 4 1; do
	n=$((${BENCH_EXECUTIONS:-4000} / part + 1))
	seconds $n --strategy trust --isolation rewind -- $dir/lastzero12 >/dev/null
	trust=$(json $dir/r.json search_memory_kb)
	seconds $n --isolation rewind -- $dir/lastzero12 >/dev/null
	optimal=$(json $dir/r.json search_memory_kb)
	row "lastzero(12): the search, after $n executions, trust" "$trust" KB "$(calc "$trust / $optimal")" optimal "$optimal KB"
done
