# bash completion of simul. Commands, options and their values come from simul itself (--list-commands,
# --list-options), so nothing has to be kept up to date here.

# _simul_words WORDS: the words that begin with the word being completed.
_simul_words() {
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# _simul_files [PATTERN]: files (with a name like PATTERN) and directories.
_simul_files() {
	compopt -o filenames 2>/dev/null
	if [ $# = 0 ]; then
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -f -X "!$1" -- "$cur"; compgen -d -- "$cur")
	fi
}

# The program to test, then its arguments. WORD is the index of the program in the command line.
_simul_program() {
	local word=$1
	if [ "$COMP_CWORD" -gt "$word" ]; then
		if declare -F _command_offset >/dev/null; then
			_command_offset "$word"
		else
			_simul_files
		fi
	elif [[ $cur == */* ]]; then
		_simul_files
	else
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <({ compgen -f -- "$cur"; compgen -c -- "$cur"; } | sort -u)
	fi
}

_simul_value() {
	local kind=$1 name=$2 values=$3
	case $kind:$name in
	choice:*) _simul_words "$values" ;;
	text:DIR)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		;;
	text:*) _simul_files ;;
	*) COMPREPLY=() ;; # a number, a duration, a pattern
	esac
}

# _simul_options COMMAND: adds the options to names, kind, value and values of _simul. An option without a description is internal.
_simul_options() {
	local name letter k v c text
	while IFS=$'\t' read -r name letter k v c text; do
		[ "$text" = - ] && continue
		names+=" $name"
		kind[$name]=$k value[$name]=$v values[$name]=$c
		[ "$letter" = - ] || { names+=" $letter"; kind[$letter]=$k value[$letter]=$v values[$letter]=$c; }
	done < <("$simul" "$1" --list-options 2>/dev/null)
}

_simul() {
	local simul=${COMP_WORDS[0]} command=${COMP_WORDS[1]} cur=${COMP_WORDS[COMP_CWORD]}
	local word i=2 names='' takes_recording=0
	local -A kind=() value=() values=()
	COMPREPLY=()
	[[ $simul == "~/"* ]] && simul=$HOME/${simul#*/}
	if [ "$COMP_CWORD" = 1 ]; then
		_simul_words "$("$simul" --list-commands 2>/dev/null) --help --version"
		return
	fi
	if [ "$command" = help ]; then
		[ "$COMP_CWORD" = 2 ] && _simul_words "$("$simul" --list-commands 2>/dev/null)"
		return
	fi
	_simul_options "$command"
	[ -n "$names" ] || return
	"$simul" help "$command" 2>/dev/null | head -n 1 | grep -q ' FILE$' && takes_recording=1
	# Go through the words before the completed one; bash splits --model=tso into three.
	while [ $i -lt "$COMP_CWORD" ]; do
		word=${COMP_WORDS[i]}
		if [ "$word" = -- ] || { [[ $word != -?* ]] && [ $takes_recording = 0 ]; }; then
			[ "$word" = -- ] && i=$((i + 1))
			if [ $takes_recording = 1 ]; then _simul_files '*.simul'; else _simul_program $i; fi
			return
		fi
		i=$((i + 1))
		[ -n "${kind[$word]:-}" ] && [ "${kind[$word]}" != flag ] || continue
		if [ "${COMP_WORDS[i]}" = = ]; then
			[ $i = "$COMP_CWORD" ] && cur=
			i=$((i + 1))
		fi
		if [ $i -ge "$COMP_CWORD" ]; then
			_simul_value "${kind[$word]}" "${value[$word]}" "${values[$word]}"
			return
		fi
		i=$((i + 1))
	done
	if [[ $cur == -* ]]; then
		_simul_words "$names --help"
	elif [ $takes_recording = 1 ]; then
		_simul_files '*.simul'
	else
		_simul_program $i
	fi
}

complete -F _simul simul
