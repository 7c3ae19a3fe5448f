/// The rows of the table by the names that people write after the fence.
extension CodeLanguage {
    /// Nil for a language that is not in the table. Of an info string such as
    /// `swift title="a.swift"` or `{.python}` the first word counts.
    static func named(_ info: String) -> CodeLanguage? {
        let name = info.lowercased().split(whereSeparator: { " \t,;{}:".contains($0) }).first ?? ""
        let word = name.hasPrefix(".") ? name.dropFirst() : name
        return switch word {
        case "swift": swift
        case "py", "python", "python3", "pyi", "gyp", "starlark", "bzl": python
        case "pycon": python
        case "js", "javascript", "jsx", "mjs", "cjs", "node", "ts", "typescript", "tsx", "mts":
            javascript
        case "json", "jsonc", "json5", "jsonl", "ndjson", "geojson": json
        case "sh", "bash", "zsh", "shell", "ksh", "fish", "bashrc", "profile": shell
        case "console", "shell-session", "shellsession", "terminal", "session": console
        case "c", "h", "cpp", "c++", "cc", "cxx", "hpp", "hh", "objc", "objective-c", "objectivec",
            "m", "mm", "arduino", "cuda", "glsl":
            c
        case "cs", "csharp", "c#": csharp
        case "java", "groovy", "gradle", "scala": java
        case "kt", "kts", "kotlin": kotlin
        case "go", "golang": go
        case "rs", "rust": rust
        case "zig": zig
        case "dart": dart
        case "rb", "ruby", "rake", "gemfile", "crystal": ruby
        case "php": php
        case "lua": lua
        case "pl", "perl", "pm": perl
        case "r", "rscript": r
        case "jl", "julia": julia
        case "ex", "exs", "elixir": elixir
        case "html", "xml", "svg", "htm", "xhtml", "vue", "svelte", "plist", "rss", "xsl": markup
        case "css", "scss", "sass", "less": css
        case "sql", "mysql", "postgres", "postgresql", "pgsql", "sqlite", "plsql", "tsql": sql
        case "yaml", "yml": yaml
        case "toml", "ini", "cfg", "conf", "properties", "dotenv", "env", "desktop", "systemd":
            ini
        case "diff", "patch", "udiff": diff
        case "md", "markdown", "mdx", "rmd": markdown
        case "dockerfile", "docker", "containerfile": dockerfile
        case "make", "makefile", "mk", "gnumake", "just", "justfile": make
        case "cmake": cmake
        case "nix": nix
        case "tf", "hcl", "terraform": terraform
        case "proto", "protobuf": proto
        case "hs", "haskell", "purescript", "elm": haskell
        case "ml", "ocaml", "fs", "fsharp", "f#": ocaml
        case "lisp", "clojure", "clj", "scheme", "elisp", "emacs-lisp", "racket": lisp
        case "powershell", "ps1", "pwsh": powershell
        case "tex", "latex": latex
        case "vim", "viml": vim
        default: nil
        }
    }
}
