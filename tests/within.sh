# Sourced by scripts that must not hang.
#
#   within SECONDS CMD...   runs CMD, and ends it after SECONDS of a machine that is idle; where other processes compete for the
#                           processors the limit grows with their number. Exit status 124: it took longer.
within() {
	local seconds=$1 load
	shift
	read -r load _ </proc/loadavg
	timeout -k 5 "$((seconds * (1 + ${load%.*} / $(nproc))))" "$@"
}
