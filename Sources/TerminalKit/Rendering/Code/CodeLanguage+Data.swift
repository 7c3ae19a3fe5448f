/// Data, markup, styles, queries and build files.
extension CodeLanguage {
    static let json = CodeLanguage(constants: "true false null")
        .comments("//", block: ("/*", "*/")).strings("\"").with { $0.keys = .quoted }

    static let yaml = CodeLanguage(constants: "true false null yes no on off ~")
        .comments("#").strings(multiline: ["\"", "'"]).with {
            $0.commentNeedsSpace = true
            $0.keys = .colon
            $0.hasCalls = false
            $0.sigils = [0x26: .type, 0x2A: .type, 0x21: .type]
            $0.linePrefixes = [(Array("---".utf8), .init(.comment))]
        }

    static let ini = CodeLanguage(constants: "true false yes no on off")
        .comments("#", ";").strings("\"", "'", multiline: ["\"\"\"", "'''"]).with {
            $0.commentNeedsSpace = true
            $0.keys = .equals
            $0.hasCalls = false
            $0.linePrefixes = [(Array("[".utf8), .init(.type))]
        }

    static let markup = CodeLanguage().comments(block: ("<!--", "-->"))
        .string("\"", "\"", multiline: true, raw: true).string("'", "'", multiline: true, raw: true)
        .with {
            $0.layout = .markup
            $0.wordBytes = [0x2D, 0x3A, 0x2E]
        }

    static let css = CodeLanguage(
        keywords: "important media import font-face keyframes supports include mixin extend if else"
    )
    .comments("//", block: ("/*", "*/")).strings("\"", "'").with {
        $0.keys = .colon
        $0.wordBytes = [0x2D]
        $0.sigils = [0x2E: .type, 0x23: .number, 0x40: .keyword, 0x24: .attribute]
    }

    static let sql = CodeLanguage(
        keywords:
            "add all alter and as asc begin between by cascade case check column commit constraint "
            + "create cross database default delete desc distinct drop else end except exists "
            + "explain foreign from full function grant group having if in index inner insert "
            + "intersect into is join key left like limit natural not offset on or order outer over "
            + "partition pragma primary procedure recursive references replace returning revoke right "
            + "rollback select set table then to transaction trigger union unique update using "
            + "vacuum values view when where window with without",
        types:
            "bigint blob boolean bytea char date datetime decimal double float int integer interval "
            + "json jsonb numeric real serial smallint text time timestamp timestamptz uuid varchar",
        constants: "true false null"
    )
    .comments("--", block: ("/*", "*/"))
    .string("'", "'", multiline: true, raw: true).string("\"", "\"", raw: true)
    .string("`", "`", raw: true).with { $0.ignoresCase = true }

    static let diff = CodeLanguage().with {
        $0.hasNumbers = false
        $0.hasCalls = false
        $0.linePrefixes = [
            ("diff ", RichLine.Look(.attribute, .bold)), ("index ", .init(.comment)),
            ("+++ ", .init(.attribute, .bold)), ("--- ", .init(.attribute, .bold)),
            ("@@", .init(.function)), ("+", .init(.inserted)), ("-", .init(.deleted)),
            (">", .init(.inserted)), ("<", .init(.deleted)), ("\\", .init(.comment)),
        ].map { (Array($0.0.utf8), $0.1) }
    }

    static let markdown = CodeLanguage().string("`", "`", raw: true).with {
        $0.hasNumbers = false
        $0.hasCalls = false
        $0.linePrefixes = [
            ("#", RichLine.Look(.heading, .bold)), ("```", .init(.attribute)),
            ("~~~", .init(.attribute)), (">", .init(.comment)),
        ].map { (Array($0.0.utf8), $0.1) }
    }

    static let dockerfile = CodeLanguage(
        keywords:
            "add arg as cmd copy entrypoint env expose from healthcheck label maintainer onbuild "
            + "run shell stopsignal user volume workdir"
    )
    .comments("#").strings("\"", "'").with {
        $0.commentNeedsSpace = true
        $0.ignoresCase = true
        $0.wordBytes = [0x2D]
        $0.sigils = [0x24: .attribute]
        $0.hasCalls = false
    }

    static let make = CodeLanguage(
        keywords:
            "define else endef endif export ifdef ifeq ifndef ifneq include override sinclude "
            + "undefine unexport vpath"
    )
    .comments("#").strings("\"", "'").with {
        $0.commentNeedsSpace = true
        $0.keys = .both
        $0.wordBytes = [0x2D]
        $0.sigils = [0x24: .attribute, 0x2E: .keyword]
    }

    static let cmake = CodeLanguage(
        keywords: "else elseif endforeach endfunction endif endmacro endwhile foreach function if "
            + "macro return while",
        constants: "ON OFF TRUE FALSE"
    )
    .comments("#", block: ("#[[", "]]")).strings(multiline: ["\""]).with {
        $0.ignoresCase = false
        $0.sigils = [0x24: .attribute]
    }

    static let nix = CodeLanguage(
        keywords: "assert else if import in inherit let or rec then with",
        constants: "true false null"
    )
    .comments("#", block: ("/*", "*/"))
    .string("''", "''", multiline: true, raw: true).strings(multiline: ["\""]).with {
        $0.keys = .equals
        $0.wordBytes = [0x2D]
    }

    static let terraform = CodeLanguage(
        keywords:
            "data dynamic for for_each if in locals module output provider resource terraform "
            + "variable",
        types: "any bool list map number object set string", constants: "true false null"
    )
    .comments("#", "//", block: ("/*", "*/")).strings("\"").with {
        $0.keys = .equals
        $0.wordBytes = [0x2D]
    }

    static let latex = CodeLanguage().comments("%").with {
        $0.hasNumbers = false
        $0.hasCalls = false
        $0.sigils = [0x5C: .keyword]
    }
}
