# What zsh offers: zsh -f tests/completion/zsh.zsh FOLDER FILE LINE...
# Starts an interactive zsh on a pseudo-terminal in FOLDER, types each LINE and a tab, and writes to FILE a line "LINE => match match ...",
# matches sorted. FOLDER/simul is the command.
zmodload zsh/zpty || exit 1
folder=$1 file=$2
shift 2
completions=${0:A:h:h:h}/completion
zpty z "cd ${(q)folder} && PATH=${(q)folder}:\$PATH TERM=dumb zsh -f -i"
zpty -w z "PS1=; unsetopt prompt_cr; fpath=(${(q)completions} \$fpath); autoload -Uz compinit; compinit -u -D; LISTMAX=100000; out=${(q)file}"
# Records every match that completion adds, from any function.
zpty -w z 'compadd() { local -a hits; [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]] && { builtin compadd "$@"; return }; builtin compadd -A hits "$@"; matches+=($hits); builtin compadd "$@" }'
zpty -w z 'tab() { typeset -ga matches=(); zle complete-word; print -r -- "$BUFFER0 => ${(j: :)${(@ou)matches}}" >>$out; BUFFER=; }'
zpty -w z 'before() { BUFFER0=$BUFFER; zle tab }; zle -N before; zle -N tab; bindkey "^I" before'
for line in "$@"; do
	count=$( [[ -f $file ]] && wc -l <$file || echo 0 )
	zpty -w -n z "$line"$'\t'
	repeat 500; do
		zpty -r -t z nothing 2>/dev/null
		[[ -f $file ]] && (( $(wc -l <$file) > count )) && break
		sleep 0.02
	done
done
zpty -d z
