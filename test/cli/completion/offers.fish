# Says what fish offers at the end of the line $argv[2], by the script $argv[1].
source $argv[1]
complete -C $argv[2] | cut -f 1
