# Sourced by scripts that must not hang.
#
#   within SECONDS CMD...   runs CMD, and ends it after SECONDS on an idle machine. The limit grows with the number of processes
#                           that compete for the processors. Exit status 124: CMD took longer.
#   patient_seconds SECONDS        sets patience to the number of seconds that takes the place of SECONDS on an idle machine
export PROCESSORS=${PROCESSORS:-$(nproc)}
patient_seconds() {
	local load
	read -r load _ </proc/loadavg
	patience=$(($1 * (1 + ${load%.*} / PROCESSORS)))
}
within() {
	local patience
	patient_seconds "$1"
	timeout -k 5 $patience "${@:2}"
}

# end_all_on_interrupt: from now on Ctrl-C (or SIGTERM) ends this script and every process that it started, also those in sessions of their own
# and those whose parents have ended. They are found by a variable in their environment. timeout(1) keeps Ctrl-C from them otherwise.
end_all_on_interrupt() {
	[ -z "${TESTS_RUN_BY-}" ] || return 0 # the outer script does it
	export TESTS_RUN_BY=$$.$RANDOM
	trap 'end_all INT' INT
	trap 'end_all TERM' TERM
}
end_all() {
	local signal p
	trap '' INT TERM
	for signal in TERM TERM KILL KILL; do
		for p in /proc/[0-9]*; do
			p=${p#/proc/}
			[ "$p" != $$ ] && [ "$p" != "$BASHPID" ] && grep -qzx "TESTS_RUN_BY=$TESTS_RUN_BY" "/proc/$p/environ" 2>/dev/null && kill -$signal "$p" 2>/dev/null
		done
		sleep 0.3
	done
	echo "ended by SIG$1" >&2
	trap - "$1"
	kill -"$1" $$
}
