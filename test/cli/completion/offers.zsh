# Says what zsh offers at the end of the line $2, by the script $1: completion needs a terminal, so it gets one.
export SCRIPT=$1 LINE=$2 OFFERS=$PWD/offers.$$ ZDOTDIR=${0:A:h}/zsh
: >"$OFFERS"
zmodload zsh/zpty
zpty asked zsh -d -i
while zpty -r asked; do :; done >/dev/null
cat "$OFFERS"
rm "$OFFERS"
