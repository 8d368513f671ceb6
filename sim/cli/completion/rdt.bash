# SPDX-License-Identifier: MIT
# Completion of rdt in bash. The names of commands and options come from the --help of the program.
_rdt_commands() {
    sed -n '/^Subcommands:/,$ s/^  \([a-z][a-z0-9-]*\) .*/\1/p'
}

_rdt() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} names i
    local command=("${COMP_WORDS[0]}")
    local help=$("${command[@]}" --help 2>/dev/null)
    for ((i = 1; i < COMP_CWORD; i++)); do
        names=$(_rdt_commands <<<"$help")
        if [[ $'\n'$names$'\n' == *$'\n'"${COMP_WORDS[i]}"$'\n'* ]]; then
            command+=("${COMP_WORDS[i]}")
            help=$("${command[@]}" --help 2>/dev/null)
        fi
    done
    names=
    if [[ $word == -* ]]; then
        names=$(sed -n 's/^  \(-[a-z],\)\{0,1\}\(--[a-z0-9-]*\).*/\2/p' <<<"$help")
    elif [[ $before != -* ]]; then
        names=$(_rdt_commands <<<"$help")
    fi
    COMPREPLY=($(compgen -W "$names" -- "$word"))
}

# Without a match, the shell completes file names.
complete -o default -F _rdt rdt
