#!/bin/bash
# Completion in bash and zsh: the candidates at a position of the command line are exactly what simul accepts there. bash: the test calls
# the function as readline does. zsh: the test types into an interactive shell on a pseudo-terminal (tests/completion/zsh.zsh).
. "$(dirname "$0")/lib.sh"
suite completion

# Creates a folder with recordings, a program, another file, a subfolder and the command.
playground() {
	mkdir -p "$dir/in/bugs" && cd "$dir/in" || return 1
	touch a.simul 'b c.simul' notes.c
	printf '#!/bin/sh\n' >prog && chmod +x prog && ln -sf "$SIMUL" simul
}

# options_of COMMAND: the options that the help of COMMAND names, and --help; sorted, in one line.
options_of() {
	{
		echo --help
		"$SIMUL" help "$1" | grep -oE '^  -(-[a-z0-9-]+|[a-z], --[a-z0-9-]+)' | grep -oE -- '-(-[a-z0-9-]+|[a-z]\b)'
		"$SIMUL" help "$1" | sed -n "/^Passed on to 'simul run'/,/^$/p" | grep -oE -- '--[a-z0-9-]+'
	} | LC_ALL=C sort -u | paste -sd' '
}
choices() { "$SIMUL" "$1" --list-options | awk -F'\t' -v o="$2" '$1 == o {print $5}' | tr ' ' '\n' | LC_ALL=C sort | paste -sd' '; }

# in_bash WORD...: sets `got` to the completions of the last word.
in_bash() {
	COMP_WORDS=("$SIMUL" "$@") COMP_CWORD=$# COMPREPLY=()
	_simul
	got=$(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort -u | paste -sd,)
	got=${got#,}
}
offers() {
	local want=$1
	shift
	in_bash "$@"
	expect_eq "after: simul $*" "$want" "$got"
}

bash_completion() {
	local c some
	playground || return 1
	. "$top/completion/simul.bash" || return 1
	complete -p simul >/dev/null || { echo "nothing is registered for simul"; return 1; }
	in_bash ''
	expect_eq commands "$({ "$SIMUL" --list-commands; echo --help; echo --version; } | LC_ALL=C sort | paste -sd,)" "$got" || return 1
	for c in $("$SIMUL" --list-commands); do
		[ "$c" = help ] && continue
		in_bash "$c" -
		expect_eq "options of $c" "$(options_of "$c")" "${got//,/ }" || return 1
	done
	for c in strategy model isolation threads; do
		some=$(choices run --$c) && [ -n "$some" ] || { echo "--$c has no values"; return 1; }
		offers "${some// /,}" run --$c '' && offers "${some// /,}" run --$c = || return 1
	done
	offers tso run --model t && offers tso run --model = t && offers '' run --time '' &&
		offers 'a.simul,b c.simul,bugs' replay '' && offers 'a.simul,b c.simul,bugs' replay --times 3 -- '' &&
		offers bugs run --output '' && offers 'a.simul,b c.simul,bugs,notes.c,prog,simul' run --json '' &&
		offers ./prog run --quiet -- ./p && offers ./prog run --quiet ./p && offers ./prog doctor ./p &&
		offers notes.c run -- ./prog no && offers minimize help m && offers '' nonsense -- '' || return 1
}

zsh_completion() {
	command -v zsh >/dev/null || { echo "there is no zsh"; return 77; }
	local tried=("simul " "simul help m" "simul run --model t" "simul run --isolation=" "simul replay " "simul run -- ./p"
		"simul run ./prog no" "simul run --output " "simul run --keep" "simul run -q --qui" "simul run --patch a --patc" "simul nonsense ")
	playground && zsh -n "$top/completion/_simul" || return 1
	within 60 zsh -f "$top/tests/completion/zsh.zsh" "$PWD" "$dir/got" "${tried[@]}" || return 1
	cat >"$dir/want" <<-END
		simul  => $("$SIMUL" --list-commands | LC_ALL=C sort | paste -sd' ')
		simul help m => minimize
		simul run --model t => tso
		simul run --isolation= => $(choices run --isolation)
		simul replay  => a.simul b\\ c.simul bugs
		simul run -- ./p => prog
		simul run ./prog no => notes.c
		simul run --output  => bugs
		simul run --keep => --keep-files --keep-going
		simul run -q --qui => 
		simul run --patch a --patc => --patch
		simul nonsense  => 
	END
	diff "$dir/want" "$dir/got"
}

run_case "bash" bash_completion
run_case "zsh" zsh_completion
finish
