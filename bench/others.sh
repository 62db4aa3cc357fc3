# Other stateless model checkers on the same C sources: sourced by searches.sh and peers.sh. GENMC is the path of genmc, NIDHUGG that of
# nidhuggc; GENMC_FLAGS and NIDHUGG_FLAGS replace the flags below. docs/benchmarks.md has the versions that were run.
#
# Both compile the program themselves, and the measured times include that.

others_here() {
	[ -z "${GENMC-}" ] || echo genmc
	[ -z "${NIDHUGG-}" ] || echo nidhugg
}
for tool in "${GENMC-}" "${NIDHUGG-}"; do
	[ -z "$tool" ] || command -v "$tool" >/dev/null || fail "$tool: no such executable (GENMC, NIDHUGG)"
done

# Reductions beyond one execution for each trace are off, so that all count the same: symmetry of threads and in-place revisits in genmc,
# read-modify-write operations that commute in nidhugg. Nor does genmc estimate the size of a search first. Earlier versions of genmc
# do not have all of these options.
if [ -n "${GENMC-}" ] && [ -z "${GENMC_FLAGS-}" ]; then
	GENMC_FLAGS=-sc
	genmc_help=$("$GENMC" -help 2>&1 </dev/null)
	for option in -disable-sr -disable-ipr -disable-estimation; do
		[[ $genmc_help != *"$option "* ]] || GENMC_FLAGS+=" $option"
	done
fi
NIDHUGG_FLAGS=${NIDHUGG_FLAGS:---sc --optimal --no-commute-rmws}

# other_search TOOL SOURCE DEFINES: sets other_executions, other_seconds, other_cpu (processor time in seconds), and other_failed: "" or the
# reason for a failure; then it returns a failure.
other_search() {
	local tool=$1 source=$2 defines=$3 start=${EPOCHREALTIME/./} status count
	[ "$defines" = - ] && defines=
	other_failed="" other_executions=0
	# shellcheck disable=SC2086
	case $tool in
	genmc)
		cpu_time timeout -k 5 "$limit" "$GENMC" $GENMC_FLAGS -- -I tests/golden $defines "$source" >$dir/other.log 2>&1 </dev/null
		status=$?
		count='s/.*Number of complete executions explored: \([0-9]*\).*/\1/p'
		;;
	nidhugg)
		cpu_time timeout -k 5 "$limit" "$NIDHUGG" -O1 -I tests/golden $defines -- $NIDHUGG_FLAGS "$source" >$dir/other.log 2>&1 </dev/null
		status=$?
		count='s/.*Trace count: \([0-9]*\).*/\1/p'
		;;
	esac
	other_seconds=$(calc "(${EPOCHREALTIME/./} - $start) / 1e6")
	other_cpu=$cpu_seconds
	other_executions=$(sed -n "$count" $dir/other.log | tail -n 1)
	if [ $status = 124 ] || [ $status = 137 ]; then
		other_failed="not done in $limit s"
	elif [ $status != 0 ]; then
		other_failed="fails (exit status $status): $(tr -d '\t' <$dir/other.log | grep -v '^[[:space:]]*$' | tail -n 1 | cut -c1-60)"
	elif ! [[ $other_executions =~ ^[1-9][0-9]*$ ]]; then
		other_failed="fails: no number of executions in its output"
	fi
	[ -z "$other_failed" ] || { other_executions=0; return 1; }
}
