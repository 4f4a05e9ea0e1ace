# A terminal that types $LINE, has it completed by the script $SCRIPT, writes what is offered to $OFFERS, and ends.
autoload -Uz compinit
compinit -u -D
source "$SCRIPT"

# All matches that zsh knows go through compadd. With -O, -A and -D it only fills arrays.
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)* ]]; then
    builtin compadd "$@"
    return
  fi
  local -a offered
  builtin compadd -O offered "$@"
  print -rl -- $offered >>"$OFFERS"
  builtin compadd "$@"
}

zle-line-init() {
  BUFFER=$LINE CURSOR=$#LINE
  zle complete-word
  exit
}
zle -N zle-line-init
