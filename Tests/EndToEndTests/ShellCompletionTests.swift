import Foundation
import TestSupport
import XCTest

/// The completion scripts in the shells they are for, and the manual page in
/// the programs that read it.
final class ShellCompletionTests: XCTestCase {
    /// Runs a shell in a folder with a few files, where `chat` is the program.
    private func run(_ shell: String, _ arguments: [String]) throws -> String {
        let chat = try ChatProgram()
        let folder = try TemporaryFolder()
        let program = try ChatProgram.path()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("chat"), withDestinationPath: program)
        _ = try folder.write(Array("x".utf8), to: "some file.txt")
        var variables = chat.variables
        variables["PATH"] = folder.path + ":" + TestMachine.path
        variables["FOLDER"] = folder.path
        variables["TERM"] = "dumb"
        variables["LC_ALL"] = "C.UTF-8"
        let running = try RunningProgram(shell, arguments, environment: variables)
        running.endInput()
        let result = try running.finish()
        XCTAssertEqual(result.exit, 0, result.errorText)
        return result.text
    }

    func testBashInsertsWordsAndListsWhatTheyMean() throws {
        let bash = try TestMachine.find("bash", package: "bash")
        let script = #"""
            source <(chat completion bash); cd "$FOLDER"
            try() {
                COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_TYPE=${LISTS:-9}; COMPREPLY=()
                _chat
                local IFS='|'; printf '%s\n' "${COMPREPLY[*]}"
            }
            try chat con
            try chat reminders list t
            try chat --provider cl
            try chat --attach some
            try chat --attach 'some\ f'
            try chat --attach '"some f'
            try chat -p x --output str
            LISTS=63 try chat completion ''
            complete -p chat
            """#
        XCTAssertEqual(
            try run(bash, ["--norc", "-c", script]),
            """
            conversations|config
            today|tomorrow
            claude
            some file.txt
            some file.txt
            some file.txt
            stream-json
            bash  (for ~/.bashrc: source <(chat completion bash))|zsh  (for ~/.zshrc, after compinit: \
            source <(chat completion zsh))|fish  (for config.fish: chat completion fish | source)
            complete -F _chat chat

            """)
    }

    func testFishShowsWordsWithWhatTheyMean() throws {
        let fish = try TestMachine.find("fish", package: "fish")
        let script = #"""
            chat completion fish | source; cd "$FOLDER"
            for line in "chat compl" "chat reminders list t" "chat --attach so" "chat man "
                complete -C $line
            end
            """#
        XCTAssertEqual(
            try run(fish, ["--no-config", "-c", script]),
            """
            completion\tcompletion for your shell
            today
            tomorrow
            some file.txt
            show\tprint it: chat man | man -l -

            """)
    }

    func testZshCompletesInItsLineEditor() throws {
        let zsh = try TestMachine.find("zsh", package: "zsh")
        // A zsh inside of a pseudo-terminal of its own; each answer is waited for.
        let script = #"""
            zmodload zsh/zpty
            try() {
                zpty z zsh -f -i
                zpty -w z 'PS1=; unsetopt zle_bracketed_paste prompt_sp; autoload -U compinit; compinit -D -u; source <(chat completion zsh); cd "$FOLDER"; print READ""Y'
                zpty -r -m z out '*READY*' || exit 1
                zpty -w -n z "$1"$'\t'
                zpty -r -m z out "*$2*" || exit 1
                zpty -d z
                print -r -- "${out##*$'\n'}"
            }
            try 'chat conv' 'chat conversations '
            try 'chat --attach so' 'some\\ file.txt '
            try 'chat completion ' '*fish*config.fish*'
            try 'chat reminders list to' 'tomorrow'
            """#
        let text = try run(zsh, ["-f", "-c", script])
        XCTAssertTrue(text.contains("chat conversations "), text)
        XCTAssertTrue(text.contains("some\\ file.txt "), text)
        XCTAssertTrue(text.contains("tomorrow"), text)
    }

    func testTheManualPageHasNoWarnings() throws {
        let chat = try ChatProgram()
        let page = try chat.run(["man"]).text
        XCTAssertTrue(page.hasPrefix(".\\\" Made by \"chat man\""))
        let folder = try TemporaryFolder()
        let path = try folder.write(page.utf8, to: "chat.1")
        var isRead = false
        for (program, arguments) in [
            ("man", ["--warnings", "-l", path]), ("mandoc", ["-Tlint", "-Wwarning", path]),
        ] {
            guard let reader = try? TestMachine.find(program, package: program) else { continue }
            isRead = true
            let running = try RunningProgram(
                reader, arguments,
                environment: ["PATH": TestMachine.path, "LC_ALL": "C.UTF-8", "MANPAGER": "cat"])
            running.endInput()
            let result = try running.finish()
            XCTAssertEqual(result.errorText, "", program)
            XCTAssertEqual(result.exit, 0, program)
        }
        if !isRead { throw XCTSkip("man is not installed (Debian: man-db)") }
    }

    func testWordsAreThereAtOnceAndNeedNoKeyAndNoUsableConfiguration() throws {
        let chat = try ChatProgram()
        try chat.prepare("config.json", "{ broken")
        let result = try chat.run(["__complete", "reminders", "pa"])
        XCTAssertEqual(result.text, "parse\thow words would be understood; stores nothing\n")
    }
}
