import AgentCore
import Base
import ChatKit
import Documents
import FoundationEssentials
import Glibc
import Library
import Persistence
import Sound
import Stories
import TerminalKit
import Texts

/// Assembles the library for this program, with the server's access to the terminal and to standard
/// input.
enum LibraryAssembly {
    static func server(
        _ store: LibraryStore, files: RewrittenFiles, disclosure: ItemDisclosure,
        resumes: ResumeBook, settings: Settings, paths: Paths, variables: [String: String],
        environment: Environment
    ) -> LibraryServer {
        let style = Style(
            isTerminal: isatty(1) == 1, variables: variables,
            theme: Theme(settings.theme, variables: variables))
        let drawsMarkdown = settings.markdown && variables.hasCursor
        var dependencies = LibraryServer.Dependencies(
            store: store, environment: environment,
            width: { WindowWidth.columns(of: 1) },
            formatted: { body in
                guard isatty(1) == 1 else { return nil }
                return drawsMarkdown
                    ? drawn(body, usesUnicode: style.usesUnicode, wrap: settings.wrap)
                    : ItemTable.lines(of: body)
            },
            readInput: { try await input(limit: $0) })
        dependencies.disclosure = disclosure
        dependencies.forget = { try await files.forget(sharing: $0) }
        dependencies.tidy = {
            let stories = Set(try await store.uids(of: .story))
            await SoundCache(folder: paths.sound, environment: environment)
                .removeAll(butOf: stories)
            await AnswerCache(folder: paths.answers, environment: environment)
                .removeAll(butOf: stories)
        }
        dependencies.resumes = resumes
        return LibraryServer(dependencies)
    }

    /// Reads résumés and job adverts for letters.
    static func resumes(
        _ store: LibraryStore, _ variables: [String: String], home: String
    ) -> ResumeBook {
        ResumeBook(
            ResumeBook.Dependencies(
                library: store, variables: variables, home: home,
                input: {
                    isatty(0) == 1 ? nil : try await input(limit: ResumeBook.inputLimit)
                }))
    }

    /// Formats text like an answer.
    static func drawn(
        _ body: String, usesUnicode: Bool, wrap: Wrap
    ) -> [StyledLine] {
        let columns = ScreenSize.of(1).columns
        return MarkdownStream.lines(
            HostileText.text(body), columns: columns, usesUnicode: usesUnicode
        ).flatMap { $0.rows(columns: columns, wrap) }.map { StyledLine($0) }
    }

    static func input(limit: Int, from descriptor: Int32 = 0) async throws -> [UInt8] {
        guard isatty(descriptor) != 1 else {
            throw UsageError(
                "Standard input is the terminal.", hint: "chat library edit i12 --text - < FILE")
        }
        return try await QueueExecutor.run("library-input") {
            do throws(WholeFile.Failure) {
                return try WholeFile.read(descriptor, limit: limit)
            } catch {
                throw ToolError.failed(
                    "standard input is not used: \(error.why(limit: limit)); nothing was changed")
            }
        }
    }
}
