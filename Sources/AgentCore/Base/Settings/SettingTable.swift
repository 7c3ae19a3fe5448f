/// One object of `config.json` as a table: for each setting its name, the property that
/// stores it, its accepted values, its reach and its display. Reading, the list of names,
/// `chat config` and the questions before a restore all use it.
package struct SettingTable<Root>: Sendable {
    package typealias Line = (name: String, text: String)

    package struct Row: Sendable {
        let name: String
        /// The setting's name and, for an object, the names of its members.
        let names: [SettingName]
        /// Whether it has a separate line in the list, though it is part of an object.
        var isOwn = false
        /// Whether it is never shown.
        var isSilent = false
        let read:
            @Sendable (JSONValue, [String], inout Root, inout ConfigurationReader)
                throws(ConfigurationError) -> Void
        let lines: @Sendable (Root) -> [Line]
        /// Every setting alone, by its full name; for an object its members.
        fileprivate(set) var members: @Sendable (Root) -> [Line]
    }

    /// A description of the object, for the error.
    let accepted: String
    let rows: [Row]
    /// Whether an unknown name is an error, not a warning.
    let isStrict: Bool

    /// All settings, with the names of objects in front.
    package var names: [SettingName] { rows.flatMap(\.names) }

    package init(_ accepted: String, _ rows: [Row], isStrict: Bool = false) {
        self.accepted = accepted
        self.rows = rows
        self.isStrict = isStrict
    }

    /// The lines of all settings, in the order of the table.
    package func lines(_ root: Root) -> [Line] { rows.flatMap { $0.lines(root) } }

    /// Every setting separately, including those that `lines` combines.
    package func members(_ root: Root) -> [Line] { rows.flatMap { $0.members(root) } }

    /// The members as part of the object `name`.
    fileprivate func members(_ root: Root, of name: String) -> [Line] {
        members(root).map { ("\(name).\($0.name)", $0.text) }
    }

    fileprivate func inline(_ root: Root) -> String {
        lines(root).map { "\($0.name) \($0.text)" }.joined(separator: ", ")
    }
}

extension SettingTable.Row {
    /// A setting that always has a value.
    package init<Value>(
        _ name: String, _ path: WritableKeyPath<Root, Value> & Sendable, _ kind: SettingKind<Value>,
        _ reach: SettingReach<Value>, isOwn: Bool = false,
        text: (@Sendable (Value) -> String)? = nil
    ) {
        self.init(name, kind, reach, set: { $0[keyPath: path] = $1 }) {
            (text ?? kind.text)($0[keyPath: path])
        }
        self.isOwn = isOwn
    }

    /// A setting that may be unset.
    ///
    /// - Parameters:
    ///   - none: shown if unset; nil shows nothing.
    ///   - isSecret: whether the value itself is hidden.
    package init<Value>(
        _ name: String, _ path: WritableKeyPath<Root, Value?> & Sendable,
        _ kind: SettingKind<Value>, _ reach: SettingReach<Value>, none: String?,
        isSecret: Bool = false, isOwn: Bool = false
    ) {
        self.init(name, kind, reach, set: { $0[keyPath: path] = $1 }) { root in
            root[keyPath: path].map { isSecret ? "set" : kind.text($0) } ?? none
        }
        self.isOwn = isOwn
    }

    package init<Value>(
        silent name: String, _ path: WritableKeyPath<Root, Value?> & Sendable,
        _ kind: SettingKind<Value>, _ reach: SettingReach<Value>
    ) {
        self.init(name, kind, reach, set: { $0[keyPath: path] = $1 }) { _ in nil }
        isSilent = true
        members = { [(name, $0[keyPath: path] == nil ? "not set" : "set")] }
    }

    private init<Value>(
        _ name: String, _ kind: SettingKind<Value>, _ reach: SettingReach<Value>,
        set: @escaping @Sendable (inout Root, Value) -> Void,
        text: @escaping @Sendable (Root) -> String?
    ) {
        self.name = name
        names = [SettingName(text: name, accepted: kind.accepted, words: kind.words)]
        read = { value, path, root, reader throws(ConfigurationError) in
            guard let read = kind.read(value) else { throw reader.wrong(path, kind.accepted) }
            set(&root, read)
            reader.note(path, value, isWider: reach.isWider(read))
        }
        lines = { root in text(root).map { [(name, $0)] } ?? [] }
        members = { [(name, text($0) ?? "not set")] }
    }

    /// An object: one line with its settings, then the members with lines of their own.
    ///
    /// - Parameters:
    ///   - short: the object for a short form of the value.
    ///   - text: shown instead of the settings.
    package init<Part>(
        _ name: String, _ path: WritableKeyPath<Root, Part> & Sendable, _ table: SettingTable<Part>,
        short: (@Sendable (JSONValue) -> JSONValue?)? = nil,
        text: (@Sendable (Part) -> String)? = nil
    ) {
        self.name = name
        names =
            [SettingName(text: name, accepted: table.accepted)]
            + table.names.map {
                SettingName(text: "\(name).\($0.text)", accepted: $0.accepted, words: $0.words)
            }
        read = { value, place, root, reader throws(ConfigurationError) in
            try reader.read(short?(value) ?? value, place, table, into: &root[keyPath: path])
        }
        members = { table.members($0[keyPath: path], of: name) }
        lines = { root in
            let part = root[keyPath: path]
            if let text { return [(name, text(part))] }
            let inline = table.rows.filter { !$0.isOwn }
            let words = inline.flatMap { $0.lines(part) }.map { "\($0.name) \($0.text)" }
            let line = words.isEmpty ? "none" : words.joined(separator: ", ")
            return (inline.contains { !$0.isSilent } ? [(name, line)] : [])
                + table.rows.filter(\.isOwn).flatMap { $0.lines(part) }
                .map { ("\(name).\($0.name)", $0.text) }
        }
    }

    /// An object whose members have names chosen by the user.
    ///
    /// - Parameters:
    ///   - fault: the rule that a member's name violates; nil for a valid one.
    ///   - isWhole: whether a member has all required values.
    ///   - short: the short form of a member.
    package init<Part>(
        _ name: String, _ path: WritableKeyPath<Root, [String: Part]> & Sendable,
        _ accepted: String, _ reach: SettingReach<Part>, each table: SettingTable<Part>,
        start: Part,
        fault: @escaping @Sendable (String) -> String? = { _ in nil },
        short: (@Sendable (JSONValue) -> Part?)? = nil,
        isWhole: @escaping @Sendable (Part) -> Bool,
        text: @escaping @Sendable ([String: Part]) -> String
    ) where Part: Sendable {
        self.name = name
        names = [SettingName(text: name, accepted: accepted)]
        read = { value, place, root, reader throws(ConfigurationError) in
            guard let object = value.objectValue else { throw reader.wrong(place, accepted) }
            var parts: [String: Part] = [:]
            for member in object.members {
                let place = place + [member.name]
                if let fault = fault(member.name) { throw reader.wrong(place, fault) }
                var part = short?(member.value) ?? start
                if short?(member.value) == nil {
                    try reader.read(member.value, place, table, into: &part)
                }
                guard isWhole(part) else { throw reader.wrong(place, table.accepted) }
                parts[member.name] = part
                reader.note(place, member.value, isWider: reach.isWider(part))
            }
            root[keyPath: path] = parts
        }
        lines = { [(name, text($0[keyPath: path]))] }
        members = { root in
            root[keyPath: path].sorted { $0.key < $1.key }.flatMap { key, part in
                [("\(name).\(key)", table.inline(part))]
                    + table.members(part, of: "\(name).\(key)")
            }
        }
    }
}

/// The full name of a setting: `speech.player`.
package struct SettingName: Sendable, Equatable {
    package var text: String
    /// A description of the accepted values.
    package var accepted: String
    /// The values that are words.
    package var words: [String]

    package init(text: String, accepted: String, words: [String] = []) {
        self.text = text
        self.accepted = accepted
        self.words = words
    }
}
