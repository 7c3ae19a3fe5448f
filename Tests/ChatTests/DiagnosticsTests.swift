import Glibc
import ICalendar
import Persistence
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import ChatKit
@testable import Documents
@testable import Letters
@testable import Library
@testable import MCP
@testable import Privacy
@testable import TerminalKit
@testable import Texts

final class DiagnosticsTests: XCTestCase {
    /// One of every error that a user can meet, with the name of its kind.
    private var errors: [(String, any Error)] {
        var errors: [(String, any Error)] = []
        let long = String(repeating: "The server's own words go on. ", count: 40)
        func provider(
            _ reason: ProviderError.Reason, _ provider: ProviderName = .claude, status: Int? = nil,
            message: ServerText? = nil, requestID: ServerText? = nil, retryAfter: Double? = nil
        ) -> ProviderError {
            ProviderError(
                reason: reason, provider: provider, host: "api.test", status: status,
                message: message, requestID: requestID, retryAfter: retryAfter)
        }
        errors += [
            ("key rejected", provider(.keyRejected, status: 401, message: "invalid x-api-key")),
            ("forbidden", provider(.forbidden, .openai, status: 403, message: "no access.")),
            ("model not found", provider(.modelNotFound, status: 404, message: "model: claud")),
            ("endpoint not found", provider(.endpointNotFound, .openai, status: 404)),
            ("rate limited", provider(.rateLimited, status: 429)),
            ("rate limited, wait", provider(.rateLimited, status: 429, retryAfter: 90)),
            ("rate limited, long wait", provider(.rateLimited, status: 429, retryAfter: 1e9)),
            (
                "quota",
                provider(
                    .quotaExhausted, .openai, status: 429, message: ServerText(long, hiding: nil))
            ),
            ("overloaded", provider(.overloaded, status: 529, requestID: "req_1")),
            (
                "overloaded, with a reason",
                provider(.overloaded, status: 503, message: "Back at noon.")
            ),
            ("overloaded, saying only that", provider(.overloaded, message: "Overloaded")),
            ("server failure", provider(.serverFailure, status: 500, message: "oops\noops")),
            ("bad request", provider(.badRequest, status: 400, message: "max_tokens: too large")),
            ("context", provider(.contextTooLong, status: 400, message: "200000 > 100000")),
            ("redirected", provider(.redirected, status: 301)),
            ("broken stream", provider(.brokenStream, requestID: "req_2")),
            ("malformed", provider(.malformed, .local, status: 200)),
            ("offline", provider(.offline, .offline)),
            ("local only", provider(.withheld(.localOnly))),
            ("redaction", provider(.withheld(.redact))),
            (
                "would leak",
                provider(
                    .wouldLeak([
                        .init(
                            kind: .name, form: "base64", path: "messages[0].content",
                            line: "I am Jana"),
                        .init(kind: .phone, form: "plain", path: "system", line: "1740655"),
                    ]))
            ),
        ]
        for reason in TransportError.Reason.allCases {
            let error = TransportError(reason: reason, host: "api.test:443", detail: "its words")
            errors.append(("transport", provider(.transport(error), .local)))
        }
        errors.append(
            (
                "transport after an answer",
                provider(
                    .transport(
                        TransportError(
                            reason: .connectionLost, host: "api.test", detail: "",
                            afterResponse: true)))
            ))
        let choice = ProviderChoice(provider: .claude, model: "m", reason: .key)
        let missing: [Readiness.Missing] = [
            .key, .keyUnusable("key_command: “pass” failed with exit status 1."),
            .keyForThisAddress(boundTo: "https://api.test"), .address("http://far.test"), .server,
            .approval(origin: "https://api.test"), .configuration(nearest: "groq"),
            .configuration(nearest: nil),
        ]
        for what in missing {
            errors.append(
                ("not usable", SessionError.notUsable(choice: choice, missing: what, instead: nil)))
        }
        let judgement = IntentRouter.Judgement(
            server: "reminders",
            match: IntentMatch(confidence: 0.9, reasoning: "a reminder with a date in words"))
        var advice = judgement
        advice.match.fallbackMessage = "Nothing is done: say when."
        errors += [
            (
                "not usable, another is",
                SessionError.notUsable(choice: choice, missing: .key, instead: .openai)
            ),
            ("no model", SessionError.noModel(nearest: nil)),
            ("key in the message", SessionError.holdsKey),
            ("file that cannot be redacted", SessionError.cannotRedact(file: "me.png")),
            ("voice of a server", SessionError.cannotSpeak(host: "voices.test")),
            ("no model, nearly", SessionError.noModel(nearest: judgement)),
            ("no model, and advice", SessionError.noModel(nearest: advice)),
            ("busy", SessionError.busy(title: "Trip to Oslo")),
            ("no conversation", SessionError.noConversation(query: nil)),
            ("not in the trash", SessionError.notInTrash(query: "oslo")),
            ("no such conversation", SessionError.noConversation(query: "oslo")),
            (
                "ambiguous conversation",
                SessionError.ambiguousConversation(query: "o", candidates: ["Oslo", "Opera"])
            ),
            (
                "generation, no key",
                GenerationError(
                    .noModel,
                    cause: SessionError.notUsable(choice: choice, missing: .key, instead: nil))
            ),
            (
                "generation, budget",
                GenerationError(
                    .overBudget,
                    cause: SessionError.overBudget(
                        .init(
                            period: .day, cap: Money(dollars: 1), spent: Money(dollars: 2),
                            estimate: .zero)))
            ),
            ("generation, provider", GenerationError(.provider(provider(.overloaded)))),
            ("generation refused", GenerationError(.refused)),
            ("generation cut off", GenerationError(.truncated)),
            ("generation empty", GenerationError(.empty)),
            (
                "generation, wrong shape",
                GenerationError(.wrongShape(.init(path: "$.name", problem: "is missing")))
            ),
            ("usage", UsageError("There is no option \"--foo\".", hint: "Did you mean --for?")),
            ("cancelled", CancellationError()),
            ("output", OutputFailure(code: ENOSPC)),
            ("own file", PrivateFile.Refusal(reason: .link, path: "/s/history")),
            ("own file", PrivateFile.Refusal(reason: .notRegular, path: "/s/history")),
            ("own file", PrivateFile.Refusal(reason: .otherNames, path: "/s/log")),
            ("own file", PrivateFile.Refusal(reason: .system(EACCES), path: "/s/log")),
        ]
        let database: [SQLiteError.Reason] = [
            .locked, .corrupt, .notADatabase, .otherDatabase, .readOnly, .full, .ioError,
            .newerSchema(found: 9, supported: 1), .cannotOpen, .constraint, .interrupted,
            .notFound, .other,
        ]
        for reason in database {
            errors.append(
                (
                    "database",
                    SQLiteError(reason, path: "/home/u/chat.db", detail: "its words")
                ))
        }
        for reason in [SQLiteError.Reason.locked, .readOnly, .full, .ioError] {
            errors.append(
                (
                    "calendar database",
                    SQLiteError(reason, path: "/home/u/state/calendar.db", detail: "its words")
                ))
        }
        let configuration: [ConfigurationError.Reason] = [
            .syntax(.unexpectedByte), .wrongValue(name: "keys", accepted: "emacs or vi"),
            .wrongVariable(name: "OLLAMA_HOST", accepted: "HOST:PORT or a URL"),
            .unreadable(EACCES), .tooLarge(limit: 1 << 20), .noHome, .unusableHome("/nonexistent"),
            .unusableHome("relative"),
        ]
        for reason in configuration {
            errors.append(
                (
                    "configuration",
                    ConfigurationError(reason: reason, file: "config.json", line: 3, column: 7)
                ))
        }
        for reason in FileCallError.Reason.allCases {
            errors.append(
                ("calendar folder", FileCallError(reason, path: "/c/a.ics", code: EACCES)))
        }
        for reason in ICalendarError.Reason.allCases {
            errors.append(("calendar file", ICalendarError(reason, line: 1)))
        }
        errors += [
            ("tool not found", ToolError.toolNotFound(name: "x")),
            (
                "tool arguments",
                ToolError.invalidArguments([.init(path: "$.priority", problem: "must be 1 to 9")])
            ),
            ("tool unreadable", ToolError.unreadableArguments(reason: "no object")),
            ("tool no match", ToolError.noMatch(query: "milk")),
            ("tool ambiguous", ToolError.ambiguous(query: "milk", candidates: ["a", "b"])),
            ("tool failed", ToolError.failed("It is already done.")),
            ("no such title", LibraryNoMatch(query: "milk", isInTrash: false)),
            (
                "no such file or title",
                LibraryNoMatch(query: "milk", isInTrash: false, mayBeFile: true)
            ),
            ("a key from the editor", KeyNotKept(path: "/home/ida/i12-7.md")),
            ("no such title in the trash", LibraryNoMatch(query: "milk", isInTrash: true)),
        ]
        let item = ItemID(rawValue: 12)
        let library: [LibraryError.Reason] = [
            .notFound(item), .inTrash(item), .notInTrash(item), .noRevision(item, 7), .noStep,
            .changedSince(item, title: "Tea cups"),
        ]
        for reason in library { errors.append(("library", LibraryError(reason))) }
        let ideas: [IdeaError.Reason] = [
            .noPrompt, .emptyPrompt, .promptTooLong(2_345), .holdsKey, .toneTooLong(80), .noModel,
            .unreadable("/home/u/ideas.json", "Permission denied"),
            .unwritable("/home/u/ideas.json", "No space left on device"), .needsTerminal("e"),
        ]
        for reason in ideas { errors.append(("ideas", IdeaError(reason))) }
        let letters: [LetterError.Reason] = [
            .noSources(item), .noPDFProgram(install: "sudo apt install weasyprint"),
            .noPDFProgram(install: nil),
            .pdfFailed("weasyprint", "no such font"), .pdfFailed("chromium", ""), .needsOutput,
            .unknownEnding("odt"),
        ]
        for reason in letters { errors.append(("letters", LetterError(reason))) }
        let documents: [DocumentError.Reason] = [
            .file(.system(ENOENT)), .file(.system(EACCES)), .file(.isFolder), .file(.notRegular),
            .file(.changed), .noInput, .empty,
            .tooLarge(90 << 20, limit: 64 << 20), .binary, .unsupported("a picture"),
            .encoding("koi8-r"), .longLine(3, bytes: 2 << 20), .archive(ArchiveError(.truncated)),
            .damaged("it has no META-INF/container.xml"), .protected, .noText,
        ]
        for reason in documents {
            errors.append(("document", DocumentError(reason, "tide.epub")))
        }
        let files: [AttachmentFailure.Reason] =
            [
                .system(ENOENT), .folder, .noFiles(leftOut: nil), .noFiles(leftOut: "3 hidden"),
                .tooManyFiles(limit: 1_000), .manyFiles(count: 34, bytes: 2 << 20),
                .notAFile, .empty, .tooLarge(limit: 25 << 20),
                .textTooLarge(limit: 2 << 20), .unknownType, .brokenImage,
                .imageTooLarge(size: "9,000 × 6,000", limit: "8,000 pixels per side"),
                .notSizedDown, .tooManyImages(limit: 100), .noImages(model: "llama3"), .noPDF,
                .encryptedPDF, .noTextInPDF, .tooManyPages(count: 700, limit: 600),
                .requestTooLarge(limit: 21 << 20),
            ] + FileKind.Unsupported.allCases.map { .unsupported($0) }
        for reason in files {
            errors.append(("file", AttachmentFailure(path: "a.bin", reason: reason)))
        }
        let programs: [SubprocessError.Reason] = [
            .notFound, .notExecutable, .couldNotStart(ENOMEM), .timedOut,
        ]
        for reason in programs {
            errors.append(("program", SubprocessError(reason: reason, program: "secret-tool")))
        }
        errors += [
            ("key file", KeyFileError(reason: .readableByOthers, path: "/home/u/keys.json")),
            ("key command", KeyCommand.Failure.timedOut("pass")),
            ("key store", SecretService.Failure.locked),
            ("base URL", BaseURL.Problem.plainHTTP),
        ]
        return errors
    }

    private func described(_ name: String, _ diagnostic: Diagnostic) -> String {
        let style = Style(usesColor: false, usesUnicode: true)
        let lines = diagnostic.lines.map { style.text($0) }
        return "\(name) (exit \(diagnostic.exit.rawValue))\n" + lines.joined(separator: "\n")
            + "\n\n"
    }

    func testEveryErrorSaysWhatHappenedInAtMostThreeLines() throws {
        var text = DiagnosticsGolden.text(errors, limit: 320) + "\n"
        let rejected = ProviderError(
            reason: .keyRejected, provider: .claude, host: "h", status: 401)
        let unknown = ProviderError(
            reason: .modelNotFound, provider: .claude, host: "h", status: 404)
        let facts = [
            FailureFacts(keySource: .environment(variable: "ANTHROPIC_API_KEY")),
            FailureFacts(keySource: .file(path: "/home/u/keys.json")),
        ]
        for fact in facts {
            text += described("key rejected, with its place", Diagnostic(rejected, facts: fact))
        }
        let near = FailureFacts(model: "claud", nearestModels: ["claude-a", "claude-b"])
        text += described("model not found, with others", Diagnostic(unknown, facts: near))
        var shown: Set<String> = []
        for (name, error) in errors {
            guard let error = error as? ProviderError else { continue }
            let prompt = Diagnostic(error, facts: FailureFacts(isAtPrompt: true))
            // Options of the shell are of no use there.
            XCTAssertFalse(prompt.todo?.contains("--") ?? false, "\(name): \(prompt)")
            if prompt != Diagnostic(error), shown.insert(name).inserted {
                text += described("\(name), at the prompt", prompt)
            }
        }
        for limit in [
            LoopGuard.Limit.calls(25), .identical(tool: "look", 5), .invalidRounds(3), .pauses(5),
        ] {
            text += described("limit", Diagnostic(limit))
        }
        try GoldenFile.check(text, "diagnostics.txt")
    }

    func testAtThePromptNoHintNamesACommandOfTheShell() {
        let describer = ErrorDescriber(grammar: .prompt)
        for (name, error) in errors {
            let todo = describer.describe(error).todo ?? ""
            let isForShell = [" | ", "the shell"].contains { todo.contains($0) }
            XCTAssert(isForShell || !todo.contains("chat "), "\(name): \(todo)")
            let shell = ErrorDescriber().describe(error).todo ?? ""
            let command = shell.firstMatch(of: #/(^|[ (])\/[a-z]+([ .,;:)]|$)/#)
            XCTAssertNil(command, "\(name): \(shell)")
        }
    }

    func testForeignWordsStayOnTheirLineAndOutOfTheTerminal() {
        let error = ProviderError(
            reason: .badRequest, provider: .claude, host: "h",
            message: ServerText(
                "a\nb\u{1B}[2J\u{202E}\r" + String(repeating: "x", count: 10_000), hiding: nil))
        let lines = Diagnostic(error).lines.map {
            Style(usesColor: false, usesUnicode: true).text($0)
        }
        XCTAssertEqual(lines.count, 2)
        for scalar in lines.joined().unicodeScalars {
            XCTAssertFalse(scalar.value < 0x20 || scalar.value == 0x202E)
        }
        XCTAssertLessThan(lines.joined().count, 800)
    }

    func testTheTableOfExitCodes() {
        XCTAssertEqual(
            ExitCode.allCases.map(\.rawValue), [0, 1, 2, 3, 4, 5, 6, 130])
        XCTAssertEqual(Set(ExitCode.allCases.map(\.meaning)).count, 8)
    }

    func testOnlyWhereAMessageWasToBeSentItSaysThatItWasNot() {
        let describer = ErrorDescriber()
        let error = SQLiteError(.readOnly, path: "/home/u/chat.db", detail: "")
        XCTAssertEqual(describer.describe(error).todo, "Check its permissions.")
        XCTAssertEqual(
            describer.describe(error, isMessage: true).todo,
            "What cannot be saved is not sent. Check its permissions.")
        let calendar = SQLiteError(.readOnly, path: "/home/u/calendar.db", detail: "")
        XCTAssertEqual(
            describer.describe(calendar, isMessage: true).todo, "Check its permissions.")
    }
}
