/// The completion scripts. They contain no words but call the program (`CompleteRequest`), so that
/// a script fits any version.
enum CompletionScript: String, CaseIterable {
    case bash, zsh, fish

    var text: String {
        switch self {
        case .bash: Self.bashText
        case .zsh: Self.zshText
        case .fish: Self.fishText
        }
    }

    /// readline splits words at colons and equal signs, which model names contain; they are
    /// joined again, and the part before the last separator is removed from the answers.
    private static let bashText = #"""
        # bash completion for chat
        _chat() {
            local i word line last reply=() words=() glued=
            for ((i = 1; i <= COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                if [[ -n $glued || $word == [:=]* ]] && ((${#words[@]})); then
                    words[${#words[@]}-1]+=$word
                else
                    words+=("$word")
                fi
                [[ $word == *[:=] ]] && glued=1 || glued=
            done
            last=${words[${#words[@]}-1]}
            # What is being typed may have an open quote or backslashes.
            local quote=
            case $last in
                \"*|\'*) quote=${last:0:1} last=${last:1} ;;
                *) last=${last//\\/} ;;
            esac
            words[${#words[@]}-1]=$last
            COMPREPLY=()
            while IFS= read -r line; do
                if [[ $line == :files ]]; then
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$last")
                elif [[ -n $line ]]; then
                    reply+=("$line")
                fi
            done < <("${COMP_WORDS[0]/#\~/$HOME}" __complete "${words[@]}" 2>/dev/null)
            # Several are shown with what they mean; one is inserted without.
            local cut=
            [[ $last == *[:=]* ]] && cut=${last%"${last##*[:=]}"}
            local several=
            ((${#reply[@]} > 1)) && [[ $COMP_TYPE == 63 ]] && several=1
            for line in "${reply[@]}"; do
                word=${line%%$'\t'*}
                word=${word#"$cut"}
                if [[ -n $several && $line == *$'\t'* ]]; then
                    COMPREPLY+=("$word  (${line#*$'\t'})")
                elif [[ -n $quote || $word != *[[:space:]\'\"\\]* ]]; then
                    COMPREPLY+=("$word")
                else
                    COMPREPLY+=("$(printf %q "$word")")
                fi
            done
        }
        complete -F _chat chat
        """#

    private static let zshText = #"""
        #compdef chat
        # zsh completion for chat
        _chat() {
            local line word files=
            local -a plain described
            local -a asked
            asked=("${(@Q)words[2,CURRENT]}")
            for line in "${(@f)$("${(Q)words[1]/#\~/$HOME}" __complete "${asked[@]}" 2>/dev/null)}"; do
                case $line in
                    '') ;;
                    :files) files=1 ;;
                    *$'\t'*)
                        word=${line%%$'\t'*}
                        described+=("${word//:/\\:}:${line#*$'\t'}") ;;
                    *) described+=("${line//:/\\:}") ;;
                esac
            done
            local result=1
            (( ${#described} )) && _describe -V 'chat' described && result=0
            [[ -n $files ]] && _files && result=0
            return result
        }
        if [[ $funcstack[1] == _chat ]]; then
            _chat "$@"
        else
            compdef _chat chat
        fi
        """#

    private static let fishText = #"""
        # fish completion for chat
        function __chat_complete
            set -l words (commandline -opc) (commandline -ct)
            set -l program $words[1]
            set -e words[1]
            for line in ($program __complete $words 2>/dev/null)
                if test "$line" = :files
                    __fish_complete_path (commandline -ct)
                else
                    echo $line
                end
            end
        end
        complete -c chat -f -a '(__chat_complete)'
        """#
}
