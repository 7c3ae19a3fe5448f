/// Commands that are not tables yet, as they were; goes when all are.
package struct CommandInvocation: Sendable, Equatable {
    package var verb: String
    package var arguments: [String]
    /// `--json` was given (already removed from `arguments`).
    package var wantsJSON: Bool
    /// `--yes` was given (already removed).
    package var isConfirmed: Bool
    package var interaction = Interaction()

    package init(
        verb: String, arguments: [String], wantsJSON: Bool = false, isConfirmed: Bool = false
    ) {
        self.verb = verb
        self.arguments = arguments
        self.wantsJSON = wantsJSON
        self.isConfirmed = isConfirmed
    }
}

extension Command {
    package typealias Verb = AgentCore.Verb

    package init(
        name: String, summary: String, verbs: [Verb],
        run: @escaping @Sendable (CommandInvocation) async throws -> CommandOutput
    ) {
        self.init(
            name: name, summary: summary,
            verbs: verbs.map { verb in
                let name = verb.name
                var verb = verb
                verb.run = { arguments in
                    var call = CommandInvocation(
                        verb: name, arguments: arguments.plain,
                        wantsJSON: arguments.wantsJSON, isConfirmed: arguments.isConfirmed)
                    call.interaction = arguments.interaction
                    return try await run(call)
                }
                return verb
            })
    }

    package func run(_ invocation: CommandInvocation) async throws -> CommandOutput {
        let (verb, read) = try read(
            [invocation.verb] + (invocation.wantsJSON ? ["--json"] : [])
                + (invocation.isConfirmed ? ["--yes"] : []) + invocation.arguments)
        var arguments = read
        arguments.interaction = invocation.interaction
        return try await verb.run(arguments)
    }
}

extension Verb {
    package init(
        _ name: String, usage: String = "", summary: String, flags: [String] = []
    ) {
        self.init(name, summary)
        untabled = usage
    }
}

extension CommandArguments {
    package init(
        _ arguments: [String], verb: String, options names: Set<String> = [],
        lists: Set<String> = [], flags flagNames: Set<String> = [], maybe: Set<String> = []
    ) throws(UsageError) {
        let options =
            names.sorted().map { Verb.Option("\($0) X", "") }
            + lists.sorted().map { Verb.Option("\($0) X", "", repeats: true) }
            + flagNames.sorted().map { Verb.Option($0, "") }
            + maybe.sorted().map { Verb.Option("\($0) [X]", "") }
        try self.init(
            arguments, of: Verb(verb, "", [.phrase("[X]")], options: options), name: verb)
    }

    package var flags: Set<String> { Set(order.filter { self[$0] == nil && $0 != "--" }) }
    package var options: [String: [String]] {
        var all: [String: [String]] = [:]
        for name in order where self[name] != nil { all[name] = values(name) }
        return all
    }
}
