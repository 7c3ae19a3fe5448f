import Base

/// An action declared once for both its callers: the user, with a command, and the model, with a
/// tool. Its fields give the verb (options, help, completion), the tool's schema, and the parsing
/// of options and arguments; its `Outcome` gives the answer to both.
///
/// `Context` contains the dependencies of a capability's acts.
package struct Act<Context: Sendable>: Sendable {
    private let verb: Verb
    /// The tool for the model; nil for an act that only the user can call.
    package let tool: Tool?
    private let perform: @Sendable (ActArguments, Context) async throws -> Outcome
    private let touched: @Sendable (ActArguments, Context) async throws -> CallPreview
    private let further: @Sendable (JSONObject, Context) async -> [CallEffect]

    /// - Parameters:
    ///   - verb: without arguments and options, which the fields add, as they do to the tool's
    ///     schema.
    ///   - touched: describes the object of a call, for the question before it runs.
    ///   - effects: the effects of a call in addition to those of the tool's class.
    package init<Input: Sendable>(
        _ verb: Verb, tool: Tool? = nil, _ fields: [ActField<Input, Context>],
        touched: (@Sendable (ActCall<Input, Context>) async throws -> CallPreview)? = nil,
        effects:
            @escaping @Sendable (ActCall<Input, Context>, JSONObject) async ->
            [CallEffect] = { _, _ in [] },
        run: @escaping @Sendable (ActCall<Input, Context>) async throws -> Outcome
    ) {
        var (verb, tool) = (verb, tool)
        verb.arguments = fields.compactMap(\.words)
        verb.options = fields.compactMap(\.option)
        tool?.inputSchema = .object(fields.compactMap(\.parameter))
        (self.verb, self.tool) = (verb, tool)
        perform = { try await run(ActCall(arguments: $0, context: $1, fields: fields)) }
        self.touched = { arguments, context in
            try await touched?(ActCall(arguments: arguments, context: context, fields: fields))
                ?? .touches(nil)
        }
        further = {
            await effects(ActCall(arguments: .model($0), context: $1, fields: fields), $0)
        }
    }

    /// An act for the user only, which parses its own arguments.
    package init(
        _ verb: Verb,
        run: @escaping @Sendable (CommandArguments, Context) async throws -> CommandOutput
    ) {
        (self.verb, tool) = (verb, nil)
        (touched, further) = ({ _, _ in .touches(nil) }, { _, _ in [] })
        perform = { arguments, context in
            guard case .typed(let words) = arguments else { return Outcome(CommandOutput()) }
            return Outcome(try await run(words, context))
        }
    }

    package func verb(_ context: @escaping @Sendable () -> Context) -> Verb {
        var verb = verb
        verb.run = { [perform] arguments in
            try await perform(.typed(arguments), context())
                .output(wantsJSON: arguments.wantsJSON, isOnlyJSON: arguments.wantsJSON)
        }
        return verb
    }

    // MARK: - Calls of the model

    fileprivate func call(_ arguments: JSONObject, _ context: Context) async throws -> Outcome {
        try await perform(.model(arguments), context)
    }

    fileprivate func preview(
        _ arguments: JSONObject, _ context: Context
    ) async throws -> CallPreview {
        try await touched(.model(arguments), context)
    }

    fileprivate func effects(_ arguments: JSONObject, _ context: Context) async -> [CallEffect]? {
        guard let tool else { return nil }
        return [CallEffect(tool, arguments)] + (await further(arguments, context))
    }
}

/// A server whose commands and tools are acts.
package protocol ActServer: ToolServer {
    associatedtype Context: Sendable
    static var acts: [Act<Context>] { get }
    /// The dependencies of one call.
    func actContext() -> Context
    /// Whether one of those files may hold untrusted text.
    func areUntrusted(_ paths: [String]) async -> Bool
    /// The answer to a call that failed; nil to throw the error.
    func answer(to error: ToolError, _ arguments: JSONObject) async -> ToolOutput?
}

extension ActServer {
    package var verbs: [Verb] { Self.acts.map { $0.verb(actContext) } }
    package func listTools() -> [Tool] { Self.acts.compactMap(\.tool) }

    private static func act(_ tool: String) -> Act<Context>? {
        acts.first { $0.tool?.name == tool }
    }

    package func answer(to error: ToolError, _ arguments: JSONObject) async -> ToolOutput? { nil }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        guard let act = Self.act(name) else { throw ToolError.toolNotFound(name: name) }
        do {
            return try await act.call(arguments, actContext()).answer(isUntrusted: areUntrusted)
        } catch let error as ToolError {
            guard let answer = await answer(to: error, arguments) else { throw error }
            return answer
        }
    }

    package func effects(of name: String, arguments: JSONObject) async -> [CallEffect]? {
        await Self.act(name)?.effects(arguments, actContext())
    }

    package func preview(of name: String, arguments: JSONObject) async -> CallPreview {
        do {
            return try await Self.act(name)?.preview(arguments, actContext()) ?? .touches(nil)
        } catch let error as ToolError {
            return .fails(await answer(to: error, arguments) ?? ToolOutput(error))
        } catch {
            // The call itself will report the problem.
            return .touches(nil)
        }
    }
}

/// The arguments of an act.
package enum ActArguments: Sendable {
    case typed(CommandArguments)
    /// Arguments that have passed the schema.
    case model(JSONObject)
}

/// One call of an act, by the user or the model.
package struct ActCall<Input: Sendable, Context: Sendable>: Sendable {
    package let arguments: ActArguments
    package let context: Context
    fileprivate let fields: [ActField<Input, Context>]

    /// The typed arguments; nil for a call of the model.
    package var words: CommandArguments? {
        if case .typed(let words) = arguments { words } else { nil }
    }

    /// The arguments after the verb, or the model's parameter that corresponds to them.
    package var text: String {
        fields.first { $0.words != nil }.flatMap { value(of: $0) }?.text ?? ""
    }

    /// Applies the given values, in the order of the fields.
    package func read(into input: Input) async throws -> Input {
        try await read(fields, into: input)
    }

    /// Applies the given values of fields that are in the act's table as `declared`.
    package func read<Other>(
        _ fields: [ActField<Other, Context>], into input: Other
    ) async throws -> Other {
        var input = input
        for field in fields {
            if let value = value(of: field) { try await field.set(&input, value, context) }
        }
        return input
    }

    /// The given value of a field; nil if it was left out. A parameter with the value false
    /// counts as not given.
    private func value<Other>(of field: ActField<Other, Context>) -> ActValue? {
        switch arguments {
        case .typed(let words):
            if let name = field.option?.names.last {
                return words.has(name)
                    ? ActValue(name: name, isTyped: true, texts: words.values(name)) : nil
            }
            guard field.words != nil, !words.plain.isEmpty else { return nil }
            return ActValue(name: words.name, isTyped: true, texts: words.plain)
        case .model(let arguments):
            guard let name = field.parameter?.name, let json = arguments[name], !json.isNull,
                json != .bool(false)
            else { return nil }
            return ActValue(
                name: name, isTyped: false,
                texts: json.arrayValue?.compactMap(\.stringValue)
                    ?? [json.stringValue].compactMap(\.self), number: json.integerValue)
        }
    }
}

/// One input of an act: for the user an option or the arguments after the verb, for the
/// model a parameter, and how it is parsed.
package struct ActField<Input: Sendable, Context: Sendable>: Sendable {
    package typealias Setter = @Sendable (inout Input, ActValue, Context) async throws -> Void

    fileprivate let words: Verb.Argument?
    package let option: Verb.Option?
    fileprivate let parameter: JSONSchema.Property?
    fileprivate let set: Setter

    /// - Parameters:
    ///   - head: see `Verb.Option`.
    ///   - set: nil for an option that the act looks up in the arguments itself.
    package init(
        _ head: String, _ help: String, _ kind: Verb.Kind = .text, repeats: Bool = false,
        mayLackValue: Bool = false, takesSeveral: Bool = false,
        model parameter: JSONSchema.Property? = nil, set: @escaping Setter = { _, _, _ in }
    ) {
        option = Verb.Option(
            head, help, kind, repeats: repeats, mayLackValue: mayLackValue,
            takesSeveral: takesSeveral)
        (words, self.parameter, self.set) = (nil, parameter, set)
    }

    /// A field for the arguments after the verb.
    package init(
        words: Verb.Argument, model parameter: JSONSchema.Property? = nil,
        set: @escaping Setter = { _, _, _ in }
    ) {
        (self.words, self.parameter, self.set) = (words, parameter, set)
        option = nil
    }

    /// A copy of the field for an act that reads the field itself, before the others.
    package func declared<Other>() -> ActField<Other, Context> {
        ActField<Other, Context>(
            words: words, option: option, parameter: parameter, set: { _, _, _ in })
    }

    private init(
        words: Verb.Argument?, option: Verb.Option?, parameter: JSONSchema.Property?,
        set: @escaping Setter
    ) {
        (self.words, self.option, self.parameter, self.set) = (words, option, parameter, set)
    }

    /// A field only for the model.
    package init(model parameter: JSONSchema.Property, set: @escaping Setter) {
        (self.parameter, self.set) = (parameter, set)
        (words, option) = (nil, nil)
    }
}

/// The value given for a field.
package struct ActValue: Sendable {
    /// `--due`, `due_date`.
    package let name: String
    /// Whether the user typed it; otherwise the model sent it.
    package let isTyped: Bool
    package let texts: [String]
    package var number: Int?

    package init(name: String, isTyped: Bool, texts: [String], number: Int? = nil) {
        (self.name, self.isTyped, self.texts, self.number) = (name, isTyped, texts, number)
    }

    package var text: String { texts.joined(separator: " ") }

    /// An error about the value, in the caller's terms.
    package func refusal(_ problem: String, hint: String? = nil) -> any Error {
        if isTyped { return UsageError("\(name) \(problem)", hint: hint) }
        return ToolError.invalidArguments([.init(path: "$.\(name)", problem: problem)])
    }
}
