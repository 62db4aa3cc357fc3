# Sourced by scripts that must not hang.
#
#   within SECONDS CMD...   runs CMD, and ends it after SECONDS on an idle machine. The limit grows with the number of processes
#                           that compete for the processors. Exit status 124: CMD took longer.
within() {
	local seconds=$1 load
	shift
	read -r load _ </proc/loadavg
	timeout -k 5 "$((seconds * (1 + ${load%.*} / $(nproc))))" "$@"
}
