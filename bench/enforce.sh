# What enforcing a certificate costs (docs/enforcement.md): sourced by run.sh. bench/enforce.py says what is measured.
#   ENFORCE_RUNS  maximum number of runs of each kind (40)     ENFORCE_PROGRAMS  names of programs in bench/enforce/, relax, start (all)
#   ENFORCE_FIRST 1: the measured runs have real-time priority (chrt -r 1), so other processes disturb them less. It needs
#                 the right to do so, and other processes get no processor during a run.
begin enforce 12
mkdir -p "$dir/enforce" || exit 1
# shellcheck disable=SC2086
RUNS=${ENFORCE_RUNS:-40} FIRST=${ENFORCE_FIRST-} SECONDS_LEFT=$(((ends - $(now_ms)) / 1000)) SIMUL=$simul python3 bench/enforce.py "$dir/enforce" ${ENFORCE_PROGRAMS-} >"$dir/enforce/rows" ||
	fail "bench/enforce.py failed"
while IFS=$'\t' read -r name value unit ratio of note; do
	row "$name" "$value" "$unit" "$ratio" "$of" "$note"
done <"$dir/enforce/rows"
