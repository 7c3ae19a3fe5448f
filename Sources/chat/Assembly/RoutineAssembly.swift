import AgentCore
import Base
import CalendarFiles
import ChatKit
import DateLanguage
import FoundationEssentials
import Library
import Outside
import Persistence
import Planner
import Routines
import Synchronization

/// The parts of the program that routines need: the model, the gates, and where a run takes place.
/// Created before the services, which it gets once they exist.
final class RoutineAssembly: Sendable {
    let book: RoutineBook
    private let environment: Environment
    private let services = Mutex<Weak?>(nil)

    private struct Weak: Sendable { weak var services: Services? }

    init(paths: Paths, environment: Environment) {
        book = RoutineBook(
            folder: paths.routines, state: paths.stateFolder, environment: environment)
        self.environment = environment
    }

    func attach(_ services: Services) { self.services.withLock { $0 = Weak(services: services) } }

    private var attached: Services? { services.withLock { $0?.services } }

    /// - Parameters:
    ///   - hasDue: whether something is due or an event is today.
    ///   - fetcher: for the gate on a page.
    ///   - formatted: draws a result like an answer; nil without a terminal.
    func server(
        dates: @escaping @Sendable () -> DateContext, fetcher: PageFetcher,
        hasDue: @escaping @Sendable () async throws -> Bool,
        formatted: @escaping @Sendable (String) -> [StyledLine]?, home: String
    ) -> RoutineServer {
        let runner = RoutineRunner(
            RoutineRunner.Dependencies(
                book: book,
                gates: RoutineGates(
                    RoutineGates.Dependencies(
                        hasDue: hasDue, fetch: { try await Self.look(fetcher, $0, $1) },
                        variables: environment.variables)),
                environment: environment, local: { LocalTime() },
                obstacle: { [self] in
                    await attached?.obstacle(to: $0.provider, at: $0.host)?.what
                },
                ask: { [self] in
                    await attached?.answer($0, $1, title: $2, limit: $3)
                        ?? RoutineRunner.Answer(
                            text: "", conversation: nil, failure: .init("chat is closing"))
                }))
        return RoutineServer(
            RoutineServer.Dependencies(
                book: book, environment: environment, dates: dates,
                model: { [self] in try await model($0) },
                tools: { [self] in await attached?.knownTools() ?? [] },
                obstacle: { [self] in await serviceObstacle(to: $0) },
                here: { [self] in await attached?.obstacle(to: $0, at: $1) },
                isWatched: { [self] in
                    guard let services = attached else { return false }
                    let reach = await services.alerts?.reach(log: services.log)
                    return reach.map { $0.isDaemonRunning || !$0.ways.isEmpty } ?? false
                },
                run: { [self] entry, isDue, isChat in
                    isChat
                        ? try await runElsewhere(entry)
                        : try await runner.run(entry, isDue: isDue)
                },
                answer: { [self] in try await attached?.lastAnswer(of: $0) },
                formatted: formatted,
                call: { [self] in
                    await attached?.call($0) ?? ToolOutput(text: "chat is closing", isError: true)
                },
                path: { path in
                    let path = FilePath.expanding(path, home: home)
                    return path.hasPrefix("/") ? path : "\(FilePath.workingFolder())/\(path)"
                }))
    }

    private static func look(
        _ fetcher: PageFetcher, _ url: String, _ validators: JSONValue
    ) async throws -> RoutineGates.Page {
        var known: [String: String] = [:]
        for member in validators.objectValue?.members ?? [] where member.name != "digest" {
            known[member.name] = member.value.stringValue
        }
        let (text, found) = try await fetcher.look(at: url, known)
        var members = found.sorted { $0.key < $1.key }.map {
            JSONObject.Member($0.key, .string($0.value))
        }
        if let digest = validators["digest"] { members.append(.init("digest", digest)) }
        return RoutineGates.Page(text: text, validators: .object(JSONObject(members)))
    }

    private func model(_ name: String?) async throws -> RoutineServer.Model {
        guard let services = attached else { throw SessionError.noModel(nearest: nil) }
        let choice = await services.connector.choiceLooking(
            flags: ProviderChoice.Selection(provider: nil, model: name), conversation: nil)
        guard choice.provider != .offline else { throw SessionError.noModel(nearest: nil) }
        var model = choice.model
        if model == nil { model = try await services.connector.firstModel(of: choice.provider) }
        let price = services.prices.price(of: model ?? "", provider: choice.provider)
        return RoutineServer.Model(
            provider: choice.provider.rawValue, model: model ?? "",
            host: await services.connector.host(of: choice.provider),
            price: price.map { ($0.input, $0.output) })
    }

    // MARK: - Another process

    /// Runs a routine in a separate process, also at the prompt, where a conversation is open.
    private func runElsewhere(_ entry: RoutineBook.Entry) async throws -> RoutineLog.Run? {
        let before = try await book.runs(of: entry.routine.id, limit: 1).first
        _ = try await program(
            ["run", "--", entry.routine.id], environment.variables, time: nil)
        let run = try await book.runs(of: entry.routine.id, limit: 1).first
        return run == before ? nil : run
    }

    /// The reason why a routine could not run in its place: in the environment of the installed
    /// service, or here if only an open chat runs it.
    private func serviceObstacle(to routine: Routine) async -> Diagnostic? {
        if let here = await attached?.obstacle(to: routine.provider, at: routine.host) {
            return here
        }
        guard let variables = await attached?.alerts?.serviceVariables() else { return nil }
        do {
            let result = try await program(
                ["check", "--provider", routine.provider, "--host", routine.host, "--json"],
                variables, time: .seconds(20))
            let json = try JSONParser.parse(String(decoding: result.output, as: UTF8.self))
            guard let problem = json.arrayValue?.first?["problem"]?.stringValue else { return nil }
            return Diagnostic(
                "The service that runs routines cannot ask it: \(problem)",
                todo: "A key in a variable of this shell is not there. Store it: chat keys set "
                    + routine.provider,
                exit: .needsKeyOrNetwork, namesCommands: true)
        } catch {
            return Diagnostic(
                "The service's environment could not be checked: \(Diagnostic(of: error).what)",
                todo: "chat doctor shows more", exit: .needsKeyOrNetwork, namesCommands: true)
        }
    }

    private func program(
        _ arguments: [String], _ variables: [String: String], time: Duration?
    ) async throws -> Subprocess.Result {
        guard let program = AlertInstaller.ownProgram() else {
            throw ToolError.failed("the path of this program is not known")
        }
        return try await Subprocess(
            program: program, arguments: [RoutineServer.noun] + arguments, environment: variables,
            limits: Subprocess.Limits(time: time, outputBytes: 64 << 10)
        ).run()
    }
}
