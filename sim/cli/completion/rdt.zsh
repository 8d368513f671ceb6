#compdef rdt
# SPDX-License-Identifier: MIT
# Completion of rdt in zsh. The names of commands and options come from the --help of the program.
local help i
local -a command names
command=($words[1])
help=$($command --help 2>/dev/null)
for ((i = 2; i <= CURRENT; i++)); do
    names=(${(f)"$(sed -n '/^Subcommands:/,$ s/^  \([a-z][a-z0-9-]*\) .*/\1/p' <<<$help)"})
    if ((i < CURRENT && ${names[(Ie)$words[i]]})); then
        command+=($words[i])
        help=$($command --help 2>/dev/null)
    fi
done
if [[ $words[CURRENT] == -* ]]; then
    names=(${(f)"$(sed -n 's/^  \(-[a-z],\)\{0,1\}\(--[a-z0-9-]*\).*/\2/p' <<<$help)"})
    compadd -a names
elif [[ $words[CURRENT-1] != -* && -n $names ]]; then
    compadd -a names
else
    _files
fi
