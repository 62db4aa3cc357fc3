# The cost of a bound that excludes nothing, and the memory of bounded and full search: sourced by bounded.sh.
begin bounded 5

# unpruned NAME SOURCE DEFINES...: wall times of whole searches, in consecutive pairs
unpruned() {
	local name=$1 source=$2 plain
	shift 2
	compile b_unpruned "$source" -I bench/bounded "$@"
	rm -f $dir/u.pairs
	for ((i = 0; i < 3; i++)); do
		turn $i || break
		bounded_search unpruned --strategy trust
		[ "$verdict" = complete ] || break
		plain=$seconds
		bounded_search unpruned --strategy trust --preemptions 64
		[ "$verdict" = complete ] || break
		echo "$seconds $(calc "$seconds / $plain")" >>$dir/u.pairs
	done
	if [ -s $dir/u.pairs ]; then
		row "$name: a bound that leaves nothing out" "$(column 1 $dir/u.pairs)" s "$(column 2 $dir/u.pairs)" trust "$executions executions"
	else
		row "$name: a bound that leaves nothing out" "not done" - - - "in $bounded_limit s"
	fi
}
unpruned ttas-lock bench/bounded/spin.c -DTTAS -DTHREADS=2 -DROUNDS=5
unpruned treiber-stack bench/bounded/treiber.c -DPUSHERS=1 -DPOPPERS=1 -DPER=3

# The memory of a search at its end.
for size in 8 10 12; do
	compile b_lastzero tests/golden/lastzero.c -I tests/golden -DN=$size
	bounded_search lastzero --strategy trust
	trust=$(json $dir/r.json search_memory_kb) state=$(in_words "")
	[ "$verdict" = complete ] || state+=", not done"
	bounded_search lastzero --strategy optimal
	optimal=$(json $dir/r.json search_memory_kb)
	row "lastzero($size): what the search keeps, trust" "$trust" KB "$(calc "$trust / $optimal")" optimal "$optimal KB; $state"
done
