# FairThreads programs (bench/cooperative.tsv) without reduction and with it, beside a published table: sourced by run.sh.
begin cooperative 30

# cooperative_search PROGRAM STRATEGY: sets seconds, verdict (safe, bug, or T.O), executions, blocks
cooperative_search() {
	local start=${EPOCHREALTIME/./} status
	rm -f $dir/r.json
	"$simul" run -q --strategy "$2" --no-minimize --time "${cooperative_limit}s" --output $dir/out --json $dir/r.json -- "$dir/$1" >$dir/log 2>&1 </dev/null
	status=$?
	seconds=$(calc "(${EPOCHREALTIME/./} - $start) / 1e6")
	[ $status -le 1 ] && [ -s $dir/r.json ] || { cat $dir/log >&2; fail "exit status $status: $1"; }
	case $(json $dir/r.json verdict) in
	complete) verdict=safe ;;
	bug) verdict=bug ;;
	*) verdict=T.O ;;
	esac
	executions=$(json $dir/r.json executions)
	blocks=$(json $dir/r.json block_traces)
}

[ -e build/libfthread.so ] || fail "build/libfthread.so was not built"
last="" slow=""
while IFS=$'\t' read -r name source macros wanted s_none s_p s_s s_ps n_none n_p n_s n_ps; do
	[[ $name != \#* && -n $name ]] || continue
	file=${name//[^a-z0-9]/_}
	# shellcheck disable=SC2046
	gcc -O1 -g -pthread -Iinclude $([ "$macros" = - ] || echo "$macros") -o "$dir/$file" "tests/fairthreads/$source.c" -Lbuild -lfthread \
		-Wl,-rpath,"$PWD/build" || exit 1
	[ "$source $wanted" = "$last" ] || slow=""
	last="$source $wanted"
	for strategy in exhaustive source optimal; do
		case $strategy in
		exhaustive) paper="ESST without reduction: seconds $s_none, nodes $n_none" ;;
		*) paper="ESST P, S, PS: seconds $s_p $s_s $s_ps, nodes $n_p $n_s $n_ps" ;;
		esac
		if [ $strategy = "$slow" ]; then
			row "$name, $strategy" "left out" - - - "a smaller one was not done in $cooperative_limit s; $paper"
			continue
		fi
		cooperative_search "$file" $strategy
		note=$verdict
		[ "$verdict" = bug ] || note+=", $executions executions, $blocks block traces"
		case $verdict.$wanted in
		safe.S | bug.U) row "$name, $strategy" "$seconds" s - - "$note; $paper" ;;
		T.O.*)
			row "$name, $strategy" T.O - - - "not done in $cooperative_limit s, $executions executions; $paper"
			[ $strategy != exhaustive ] || slow=$strategy
			;;
		*) fail "$name, $strategy: the verdict is $verdict, not $wanted" ;;
		esac
	done
done <"${COOPERATIVE:-bench/cooperative.tsv}"
