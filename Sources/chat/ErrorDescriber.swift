import AgentCore
import Glibc
import ICalendar
import Persistence
import ToolServers

/// Turns every error of the program into what is said about it and the exit
/// code. The one place: a type that is missing here shows its bare facts.
struct ErrorDescriber: Sendable {
    /// For the line that installs what is missing.
    var packages = PackageManager.here
    /// Of the place where it is said.
    var grammar = CommandGrammar.shell

    func describe(_ error: any Error) -> Diagnostic {
        // Its cause knows what is missing, or which limit was reached.
        if let cause = (error as? GenerationError)?.cause { return describe(cause) }
        var diagnostic = grammar.diagnostic(described(error))
        // These are our own words, or the person's in quotes.
        switch error {
        case is SessionError, is ToolError, is UsageError, is KeyFileError:
            diagnostic.what = grammar.text(diagnostic.what)
        default: break
        }
        return diagnostic
    }

    private func described(_ error: any Error) -> Diagnostic {
        switch error {
        case let error as UsageError: Diagnostic(error)
        case let error as ProviderError: Diagnostic(error)
        case let error as CompactionError: Diagnostic(error)
        case let error as GenerationError: Diagnostic(error)
        case let error as TransportError: Diagnostic(error, provider: .offline)
        case let error as SessionError: Diagnostic(error)
        case let error as SQLiteError: Diagnostic(error)
        case let error as ToolError: Diagnostic(error)
        case let error as ConfigurationError: Diagnostic(error)
        case let error as VDirectoryError: Diagnostic(error)
        case let error as ICalendarError:
            Diagnostic(
                error.reason == .unterminated
                    ? "A calendar file is cut off, or an END line in it is misspelt; it was not changed."
                    : "A calendar file cannot be changed safely (\(Diagnostic.words(error.reason.rawValue)))."
            )
        case let error as AttachmentFailure: Diagnostic(error)
        case let error as OpenFile.Failure: Diagnostic(error)
        case let error as AudioError: Diagnostic(error, packages: packages)
        case let error as TranscriptionError: Diagnostic(error)
        case let error as TranscriptionJobError: Diagnostic(error)
        case let error as RecordingError: Diagnostic(error, packages: packages)
        case let error as SpeechError: Diagnostic(error, packages: packages)
        case let error as FileFailure:
            Diagnostic("\(error.path): \(String(cString: strerror(error.code))).")
        case let error as PrivateFile.Refusal: Diagnostic(error)
        case let error as OutputFailure:
            Diagnostic(
                "Standard output could not be written: \(String(cString: strerror(error.code))).",
                todo: "What was printed is incomplete; what was done is done.")
        case let error as KeyFileError: Diagnostic(error.sentence)
        case let error as KeyCommand.Failure:
            Diagnostic(error.sentence, exit: .needsKeyOrNetwork)
        case let error as SecretService.Failure:
            Diagnostic(
                error.sentence ?? "The Secret Service is not in use here.",
                exit: .needsKeyOrNetwork)
        case let error as SubprocessError: Diagnostic(error)
        case let error as BaseURL.Problem:
            Diagnostic(
                "The base URL cannot be used (\(Diagnostic.words("\(error)"))).",
                todo: "chat config shows it and where it comes from.", exit: .needsKeyOrNetwork)
        case is CancellationError: Diagnostic("Stopped.", exit: .interrupted)
        default: Diagnostic("It failed: \(error).")
        }
    }
}

extension Diagnostic {
    /// The name of a case as words: `unexpectedByte` is "unexpected byte",
    /// `plainHTTP` "plain HTTP".
    static func words(_ name: String) -> String {
        let letters = Array(name)
        var words = ""
        for (index, letter) in letters.enumerated() {
            let begins = letter.isUppercase && index > 0 && letters[index - 1].isLowercase
            let isWord = index + 1 < letters.count && letters[index + 1].isLowercase
            if begins { words += " " }
            words += letter.isUppercase && isWord ? letter.lowercased() : String(letter)
        }
        return words
    }

    init(_ error: PrivateFile.Refusal) {
        let why =
            switch error.reason {
            case .link: "it is a symbolic link"
            case .notRegular: "it is not a regular file"
            case .otherNames: "it has another name (a hard link)"
            case .system(let code): String(cString: strerror(code))
            }
        self.init("\(error.path) is not used: \(why).")
    }

    init(_ error: SessionError) {
        switch error {
        case .notUsable(let choice, let missing, let instead):
            self.init(choice.provider, missing, instead)
        case .overBudget(let excess):
            self.init(
                "Not sent. \(excess.sentence)",
                todo:
                    "To send it all the same: --over-budget; the caps are \"budget\" in config.json.",
                exit: .refused)
        case .holdsKey:
            self.init(
                "Not sent: the message holds an API key, or what looks like one.",
                todo: "To save a key: chat keys set openai|claude|local. "
                    + "Text with a key that has to be sent goes in by stdin.",
                exit: .refused)
        case .noModel(let nearest):
            self = .noModel
            guard let missing = nearest?.match.missing else { return }
            what = missing
            todo = "To ask a model instead: \(Self.connecting)."
        case .busy(let title):
            self.init(
                "\"\(title)\" is open in another chat.",
                todo: "Close it there, or start a new conversation: /new.")
        case .noConversation(let query):
            self.init(
                query.map { "No conversation matches \"\($0)\"." }
                    ?? "There is no conversation yet.",
                todo: query == nil ? nil : "chat conversations list shows them.")
        case .notInTrash(let query):
            self.init(
                "Nothing in the trash matches \"\(query)\".",
                todo: "chat conversations list --deleted shows what is there.")
        case .ambiguousConversation(let query, let candidates):
            self.init(
                "\"\(query)\" matches several: \(candidates.prefix(5).joined(separator: ", ")).",
                todo: "Use more of the title, or the id.")
        }
    }

    /// How a model is connected.
    static let connecting = "chat keys set claude|openai, or start Ollama"
    static let noModel = Diagnostic(
        "No model is connected.", todo: "Connect one: \(connecting).", exit: .needsKeyOrNetwork)

    private init(
        _ provider: ProviderName, _ missing: Readiness.Missing, _ instead: ProviderName?
    ) {
        let name = provider.displayName
        let other = instead.map { " Or go on with --provider \($0.rawValue)." } ?? ""
        switch missing {
        case .key:
            let variable = provider.keyVariable.map { " (or set \($0))" } ?? ""
            self.init(
                "There is no key for \(name).",
                todo: "chat keys set \(provider.rawValue)\(variable).\(other)",
                exit: .needsKeyOrNetwork)
        case .keyUnusable(let why):
            self.init(
                "No usable key for \(name). \(why)",
                todo: "chat keys list shows where keys come from.\(other)",
                exit: .needsKeyOrNetwork)
        case .keyForThisAddress(let origin):
            self.init(
                "The key for \(name) belongs to \(origin) and is not sent elsewhere.",
                todo: "Set one for this address: chat keys set \(provider.rawValue)",
                exit: .needsKeyOrNetwork)
        case .address(let url):
            self.init(
                "\"\(url)\" cannot be used as an address for \(provider.rawValue).",
                todo: "Plain http is for this machine only, unless allow_http names the host.",
                exit: .needsKeyOrNetwork)
        case .server:
            self.init(
                "No local server answers.", todo: "Start one: ollama serve.\(other)",
                exit: .needsKeyOrNetwork)
        }
    }

    init(_ error: SQLiteError) {
        let path = error.path
        // Beside the conversations there is what can be undone, and which
        // alerts were given.
        let isCalendar = path.hasSuffix("/calendar.db")
        let unsaved = isCalendar ? "" : "What is not saved is not sent. "
        switch error.reason {
        case .locked:
            self.init(
                isCalendar
                    ? "Another chat is holding the notes of what can be undone (\(path))."
                    : "Another chat is holding the conversations (\(path)).",
                todo: unsaved + "Try again, or close the other one.")
        case .corrupt, .notADatabase:
            self.init(
                "\(path) is damaged; it was left as it is.",
                todo: "Move it away to start anew: mv \(path) \(path).damaged")
        case .foreignDatabase:
            self.init(
                "\(path) belongs to another program.",
                todo: "Move it away, or set CHAT_HOME to another folder.")
        case .readOnly:
            self.init(
                "\(path) cannot be written.",
                todo: unsaved + "Check its permissions.")
        case .full:
            self.init(
                "The disk is full: \(path) cannot be written.",
                todo: unsaved + "Make room and try again.")
        case .ioError:
            self.init(
                "The disk failed at \(path): \(error.detail).",
                todo: isCalendar ? nil : "What is not saved is not sent.")
        case .newerSchema(let found, let supported):
            self.init(
                "\(path) was written by a newer chat (schema \(found), this one knows \(supported)).",
                todo: "Use the newer chat; nothing was changed.")
        case .cannotOpen:
            self.init(
                "\(path) cannot be opened: \(error.detail).",
                todo: "Check the folder and its permissions, or set CHAT_HOME.")
        case .interrupted: self.init("Stopped.", exit: .interrupted)
        case .notFound: self.init("That is not there (any more): \(error.detail).")
        case .constraint, .other:
            self.init("The database failed at \(path): \(error.detail).", todo: nil)
        }
    }

    init(_ error: ConfigurationError) {
        var place = error.file ?? ""
        if let line = error.line { place += ":\(line)" }
        if error.line != nil, let column = error.column { place += ":\(column)" }
        switch error.reason {
        case .syntax(let reason):
            self.init(
                "\(place) cannot be read: \(Self.words(reason.rawValue)).",
                todo: "Comments and trailing commas are fine. To mend it: chat config edit",
                exit: .usage)
        case .wrongValue(let name, let accepted):
            self.init(
                "\(place): \(name) must be \(accepted).", todo: "To mend it: chat config edit",
                exit: .usage)
        case .wrongVariable(let name, let accepted):
            self.init("\(name) must be \(accepted).", exit: .usage)
        case .unreadable(let code):
            self.init("\(place) cannot be read: \(String(cString: strerror(code))).")
        case .tooLarge: self.init("\(place) is far too large for a configuration.", exit: .usage)
        case .noHome:
            self.init(
                "There is no home folder to keep anything in.",
                todo: "Set HOME to a folder that exists, or CHAT_HOME.")
        }
    }

    init(_ error: VDirectoryError) {
        let code = error.code == 0 ? "" : ": \(String(cString: strerror(error.code)))"
        switch error.reason {
        case .conflict:
            self.init(
                "\(error.path) was changed by another program meanwhile.",
                todo: "Nothing was overwritten. Try again.")
        case .symbolicLink:
            self.init("\(error.path) is a symbolic link and is not written through.")
        case .busy: self.init("\(error.path) is in use by another program.", todo: "Try again.")
        case .notFound: self.init("\(error.path) is not there any more.")
        case .exists: self.init("\(error.path) exists already.")
        case .invalidName, .notRegular, .tooLarge:
            self.init("\(error.path) cannot be used (\(Self.words(error.reason.rawValue))).")
        case .system: self.init("\(error.path) cannot be read or written\(code).")
        }
    }

    init(_ error: AttachmentFailure) {
        let (what, todo) = Self.words(error)
        self.init(what, todo: todo, exit: .usage)
    }

    private static func words(_ error: AttachmentFailure) -> (String, String?) {
        let path = error.path
        let all = "Text, PNG, JPEG, GIF, WebP and PDF go with a message."
        switch error.reason {
        case .system(ENOENT):
            return ("\(path) is not there.", "A name with spaces needs quotes: \"my file.txt\"")
        case .system(let code):
            return ("\(path) cannot be read: \(String(cString: strerror(code))).", nil)
        case .folder: return ("\(path) is a folder.", "Name the files in it that matter.")
        case .notAFile:
            return ("\(path) is not a file.", "A pipe's text: COMMAND | chat -p \"…\"")
        case .empty: return ("\(path) is empty.", nil)
        case .tooLarge(let limit): return ("\(path) is larger than \(limit >> 20) MB.", nil)
        case .textTooLarge(let limit):
            return (
                "\(path) has more than \(limit >> 20) MB of text, more than a model reads.",
                "Attach the part that matters."
            )
        case .unsupported(let kind): return ("\(path) is \(words(kind)).", advice(kind))
        case .unknownType: return ("\(path) is of a kind that no model reads.", all)
        case .brokenImage:
            return ("\(path) begins like an image and then makes no sense.", nil)
        case .imageTooLarge(let size, let limit):
            return (
                "\(path) is too large for this model: \(size), and it takes \(limit).",
                "To have it sized down: sudo apt install imagemagick"
            )
        case .notSizedDown:
            return (
                "\(path) is too large for this model and could not be sized down.",
                "Make it smaller, then attach it again."
            )
        case .tooManyImages(let limit):
            return ("That is more than the \(limit) images this model takes.", nil)
        case .noImages(let model):
            return ("\(path) is an image, and \(model) reads only text.", "/model changes it.")
        case .noPDF:
            return (
                "\(path) is a PDF, and this server takes none.",
                "To send its text: sudo apt install poppler-utils"
            )
        case .encryptedPDF: return ("\(path) is encrypted.", "Save it without a password.")
        case .noTextInPDF:
            return (
                "\(path) has no text that can be read out, and this server takes no PDF.",
                "Claude and OpenAI take it as it is: /model changes it."
            )
        case .tooManyPages(let count, let limit):
            return ("\(path) has about \(count) pages; this model takes \(limit).", nil)
        case .requestTooLarge(let limit):
            return (
                "The files are too large together: \(limit >> 20) MB is all a message takes.", nil
            )
        }
    }

    private static func words(_ kind: FileKind.Unsupported) -> String {
        switch kind {
        case .heic: "a HEIC or AVIF image, which no model takes"
        case .svg: "an SVG drawing, which no model takes as an image"
        case .bitmap: "a BMP image, which no model takes"
        case .tiff: "a TIFF image, which no model takes"
        case .word: "a word processor's document, which no model takes"
        case .spreadsheet: "a spreadsheet, which no model takes"
        case .slides: "a presentation, which no model takes"
        case .archive: "an archive"
        case .audio: "a recording; words and images go with a message"
        case .video: "a video; words and images go with a message"
        case .program: "a program"
        case .database: "a database"
        }
    }

    private static func advice(_ kind: FileKind.Unsupported) -> String? {
        switch kind {
        case .heic, .bitmap, .tiff, .svg: "Save it as PNG or JPEG first."
        case .word, .slides: "Save it as PDF or plain text first."
        case .spreadsheet: "Save it as CSV first."
        case .archive: "Unpack it and name the files that matter."
        case .audio, .video:
            "Its words: /transcribe FILE"
        case .program, .database:
            "Text, PNG, JPEG, GIF, WebP and PDF go with a message."
        }
    }

    init(_ error: SubprocessError) {
        switch error.reason {
        case .notFound:
            self.init("The program \(error.program) is not installed.", exit: .missingProgram)
        case .notExecutable, .couldNotStart:
            self.init("The program \(error.program) could not be started.", exit: .missingProgram)
        case .timedOut: self.init("The program \(error.program) did not end in time.")
        }
    }
}
