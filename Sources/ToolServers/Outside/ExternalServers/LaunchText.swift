import Base

/// A pinned launch as lines for the user.
enum LaunchText {
    /// - Parameter old: the previous launch; a changed hidden value is reported without its
    ///   content.
    static func lines(of launch: JSONValue, after old: JSONValue? = nil) -> [String] {
        func named(_ words: String, _ values: [String]) -> String? {
            values.isEmpty ? nil : "\(words) \(values.joined(separator: ", "))"
        }
        func given(_ member: String) -> [String] {
            let known = old?.texts(member) ?? []
            return launch.texts(member).map { name in
                known.contains(name) && old?["values"]?[name] != launch["values"]?[name]
                    ? "\(name) (another value)" : name
            }
        }
        let readers = named("without a question before calls of", launch.texts("read"))
        if let url = launch["url"]?.stringValue {
            return [url, named("with the headers", given("headers")), readers].compactMap(\.self)
        }
        let words = launch.texts("words").map(ShellTokenizer.quoted)
        let program = launch["program"]?.stringValue
        return [
            words.joined(separator: " "),
            program == launch.texts("words").first ? nil : program.map { "found as \($0)" },
            named("with your variables", given("variables")),
            launch["folder"]?.stringValue.map { "in \($0)" }, readers,
        ].compactMap(\.self)
    }
}

extension JSONValue {
    fileprivate func texts(_ member: String) -> [String] {
        self[member]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
}
