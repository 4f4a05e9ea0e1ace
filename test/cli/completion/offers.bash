# Says what bash offers for the last of the words $2…, by the function that the script $1 has registered with `complete`.
source "$1"
shift
[[ $(complete -p mcp-record) =~ -F\ ([^ ]+) ]]
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
"${BASH_REMATCH[1]}"
printf '%s\n' "${COMPREPLY[@]}"
