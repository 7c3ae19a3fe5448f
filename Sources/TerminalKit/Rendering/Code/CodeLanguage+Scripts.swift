/// Languages that are run as they are written.
extension CodeLanguage {
    static let python = CodeLanguage(
        keywords:
            "and as assert async await break case class continue def del elif else except finally "
            + "for from global if import in is lambda match nonlocal not or pass raise return try "
            + "type while with yield",
        types:
            "bool bytearray bytes complex dict float frozenset int list object set str tuple type",
        constants: "True False None self cls NotImplemented"
    )
    .comments("#").strings("\"", "'", multiline: ["\"\"\"", "'''"]).with {
        $0.hasCapitalTypes = true
        $0.sigils = [0x40: .attribute]
    }

    static let shell = CodeLanguage(
        keywords:
            "alias begin break case continue coproc declare do done elif else end esac eval exec "
            + "exit export fi for function if in local readonly return select set shift source "
            + "switch test then time trap typeset unalias unset until while",
        types:
            "apt awk brew cat cd chmod chown cp curl cut docker echo find git grep gzip head kill "
            + "kubectl less ln ls make mkdir mv npm pip printf ps python python3 read rm rsync sed "
            + "sort ssh sudo systemctl tail tar tee touch tr uniq wc wget which xargs",
        constants: "true false"
    )
    .comments("#").string("'", "'", multiline: true, raw: true).strings(multiline: ["\""]).with {
        $0.commentNeedsSpace = true
        $0.sigils = [0x24: .attribute]
        $0.wordBytes = [0x2D]
        $0.hasCalls = false
    }

    static let console = shell.with { $0.layout = .console }

    static let powershell = CodeLanguage(
        keywords:
            "begin break catch class continue do dynamicparam else elseif end exit filter finally "
            + "for foreach from function if in param process return switch throw trap try until "
            + "using while"
    )
    .comments("#", block: ("<#", "#>")).string("@\"", "\"@", multiline: true, raw: true)
    .strings("\"").string("'", "'", raw: true).with {
        $0.ignoresCase = true
        $0.wordBytes = [0x2D]
        $0.sigils = [0x24: .attribute]
    }

    static let ruby = CodeLanguage(
        keywords:
            "abstract alias and attr_accessor attr_reader attr_writer begin break case class def "
            + "defined? do else elsif end ensure extend for if in include lib loop macro module "
            + "next not or private protected public raise redo require require_relative rescue "
            + "retry return self super then undef unless until when while yield",
        constants: "true false nil"
    )
    .comments("#").strings("'", multiline: ["\"", "`"]).with {
        $0.commentNeedsSpace = true
        $0.hasCapitalTypes = true
        $0.wordBytes = [0x3F, 0x21]
        $0.sigils = [0x40: .attribute, 0x24: .attribute, 0x3A: .number]
    }

    static let php = CodeLanguage(
        keywords:
            "abstract and array as break callable case catch class clone const continue declare "
            + "default do echo else elseif empty enum exit extends final finally fn for foreach "
            + "function global goto if implements include include_once instanceof insteadof "
            + "interface isset list match namespace new or print private protected public readonly "
            + "require require_once return static switch throw trait try unset use var while xor "
            + "yield",
        types: "bool float int iterable mixed never object string void",
        constants: "true false null self parent"
    )
    .comments("//", "#", block: ("/*", "*/")).strings(multiline: ["\"", "'"]).with {
        $0.hasCapitalTypes = true
        $0.sigils = [0x24: .attribute]
    }

    static let lua = CodeLanguage(
        keywords:
            "and break do else elseif end for function goto if in local not or repeat return then "
            + "until while",
        constants: "true false nil self"
    )
    .comments("--", block: ("--[[", "]]")).string("[[", "]]", multiline: true, raw: true)
    .strings("\"", "'")

    static let perl = CodeLanguage(
        keywords:
            "and bless cmp die do each else elsif eq for foreach ge given goto gt if last le local lt "
            + "my ne next no not or our package print push redo require return say shift sub "
            + "unless until use wantarray warn when while x xor"
    )
    .comments("#").strings(multiline: ["\"", "'"]).with {
        $0.commentNeedsSpace = true
        $0.sigils = [0x24: .attribute, 0x40: .attribute, 0x25: .attribute]
    }

    static let r = CodeLanguage(
        keywords: "break else for function if in library next repeat require return source while",
        constants: "TRUE FALSE NULL NA NaN Inf T F"
    )
    .comments("#").strings(multiline: ["\"", "'"]).with { $0.wordBytes = [0x2E] }

    static let julia = CodeLanguage(
        keywords:
            "abstract baremodule begin break catch const continue do else elseif end export finally "
            + "for function global if import in isa let local macro module mutable primitive quote "
            + "return struct try type using where while",
        constants: "true false nothing missing"
    )
    .comments("#", block: ("#=", "=#"), nests: true).strings("\"", multiline: ["\"\"\""])
    .string("'", "'", character: true).with {
        $0.hasCapitalTypes = true
        $0.wordBytes = [0x21]
        $0.sigils = [0x40: .attribute]
    }

    static let elixir = CodeLanguage(
        keywords:
            "after alias and case catch cond def defimpl defmacro defmodule defp defprotocol "
            + "defstruct do else end fn for if import in not or quote raise receive require rescue "
            + "try unless unquote use when with",
        constants: "true false nil"
    )
    .comments("#").strings("\"", multiline: ["\"\"\""]).string("'", "'").with {
        $0.hasCapitalTypes = true
        $0.wordBytes = [0x3F, 0x21]
        $0.sigils = [0x40: .attribute, 0x3A: .number]
    }

    static let lisp = CodeLanguage(
        keywords:
            "and begin case cond def define define-syntax defmacro defn defparameter defun defvar do "
            + "fn for if lambda let let* letrec loop ns or progn quote recur require set! setq unless "
            + "when while",
        constants: "nil t true false"
    )
    .comments(";", block: ("#|", "|#"), nests: true).strings(multiline: ["\""]).with {
        $0.wordBytes = [0x2D, 0x2A, 0x21, 0x3F]
        $0.sigils = [0x3A: .number]
        $0.hasCalls = false
    }

    static let vim = CodeLanguage(
        keywords:
            "au augroup autocmd call colorscheme command echo else elseif endfor endfunction endif "
            + "endwhile execute filetype for function highlight if inoremap let map nmap nnoremap "
            + "noremap return set setlocal source syntax unlet vmap vnoremap while"
    )
    .string("'", "'", raw: true).with { $0.linePrefixes = [(Array("\"".utf8), .init(.comment))] }
}
