import AgentCore

/// Turns the parsed file into a `Configuration`: checks kinds, finds the line
/// of a wrong one, and names the nearest setting for an unknown one.
struct ConfigurationReader {
    private let bytes: [UInt8]
    private let file: String
    private var warnings: [String] = []

    init(bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    private static let names = [
        "provider", "model", "max_tokens", "temperature",
        "idle_limit", "keys", "escape_ms", "routing", "failover", "send_local_turns", "calendars",
        "default_list", "default_calendar", "locale", "hours", "alerts", "allow_http",
        "thinking", "effort", "markdown", "compaction", "context_window", "clipboard", "notify",
        "title", "theme", "prices", "budget", "roles", "transcription", "recording", "speech",
        "speak", "conversation_titles",
    ]
    private static let serverNames = ["base_url", "model", "key_command"]

    mutating func read(_ value: JSONValue) throws(ConfigurationError) -> Configuration {
        guard let object = value.objectValue else {
            throw ConfigurationError(
                reason: .wrongValue(name: "the file", accepted: "an object: { … }"), file: file,
                line: 1, column: 1)
        }
        var result = Configuration()
        for member in object.members {
            let path = [member.name]
            // null is the same as silence, so that a setting can be parked.
            if member.value.isNull { continue }
            switch member.name {
            case "provider": result.provider = try word(member.value, path)
            case "model": result.model = try text(member.value, path)
            case "max_tokens":
                guard let number = member.value.integerValue, number > 0 else {
                    throw wrong(path, "a whole number above 0")
                }
                result.maxTokens = number
            case "temperature":
                guard let number = member.value.doubleValue, (0...2).contains(number) else {
                    throw wrong(path, "a number from 0 to 2")
                }
                result.temperature = number
            case "idle_limit":
                guard let seconds = member.value.doubleValue, seconds > 0, seconds <= 86_400 else {
                    throw wrong(path, "seconds, above 0 and at most a day")
                }
                result.idleLimit = seconds
            case "keys": result.keys = try word(member.value, path)
            case "escape_ms":
                guard let time = member.value.integerValue, (5...2_000).contains(time) else {
                    throw wrong(path, "milliseconds, from 5 to 2000")
                }
                result.escape = time
            case "routing": result.routing = try word(member.value, path)
            case "failover": result.failover = try word(member.value, path)
            case "send_local_turns":
                guard let flag = member.value.boolValue else { throw wrong(path, "true or false") }
                result.sendLocalTurns = flag
            case "calendars":
                guard let folders = member.value.stringValue.map({ [$0] }) ?? words(member.value),
                    !folders.isEmpty,
                    folders.allSatisfy({ $0.hasPrefix("/") || $0.hasPrefix("~/") })
                else {
                    throw wrong(
                        path, "an absolute path, or one that begins with ~/, or an array of such")
                }
                result.calendars = folders
            case "default_list": result.defaultList = try folderName(member.value, path)
            case "default_calendar": result.defaultCalendar = try folderName(member.value, path)
            case "locale": result.locale = try text(member.value, path)
            case "alerts": result.alerts = try alerts(member.value, path)
            case "hours": result.hours = try hours(member.value, path)
            case "allow_http":
                guard let hosts = words(member.value) else {
                    throw wrong(path, "an array of host names")
                }
                result.allowHTTP = hosts.map { $0.lowercased() }
            case "thinking": result.thinking = try word(member.value, path)
            case "effort": result.effort = try word(member.value, path)
            case "markdown": result.markdown = try word(member.value, path)
            case "compaction": result.compaction = try word(member.value, path)
            case "conversation_titles":
                result.conversationTitles = try word(member.value, path)
            case "context_window":
                guard let tokens = member.value.integerValue, tokens >= 1_024 else {
                    throw wrong(path, "a number of tokens, 1024 or more")
                }
                result.contextWindow = tokens
            case "clipboard": result.clipboard = try word(member.value, path)
            case "notify": result.notify = try word(member.value, path)
            case "title":
                guard let flag = member.value.boolValue else { throw wrong(path, "true or false") }
                result.title = flag
            case "theme": result.theme = try theme(member.value, path)
            case "prices": result.prices = try prices(member.value, path)
            case "budget": result.budget = try budget(member.value, path)
            case "roles": result.roles = try roles(member.value, path)
            case "transcription": result.transcription = try transcription(member.value, path)
            case "recording": result.recording = try recording(member.value, path)
            case "speech": result.speech = try speech(member.value, path)
            case "speak": result.speak = try word(member.value, path)
            default:
                if let name = ProviderName(rawValue: member.name), name != .offline {
                    result.servers[name] = try server(member.value, path)
                } else {
                    warn(path, Self.names + ProviderName.askable.map(\.rawValue))
                }
            }
        }
        result.warnings = warnings
        return result
    }

    private mutating func server(
        _ value: JSONValue, _ path: [String]
    ) throws(ConfigurationError) -> Configuration.Server {
        guard let object = value.objectValue else {
            throw wrong(path, "an object with base_url, model or key_command")
        }
        var result = Configuration.Server()
        for member in object.members where !member.value.isNull {
            let path = path + [member.name]
            switch member.name {
            case "base_url":
                guard let url = member.value.stringValue, KeyOrigin(url) != nil else {
                    throw wrong(path, "a URL that begins with https:// or http://")
                }
                result.baseURL = url
            case "model": result.model = try text(member.value, path)
            case "key_command":
                let words =
                    member.value.stringValue.map(ShellTokenizer.words(of:)) ?? words(member.value)
                guard let words, let first = words.first, !first.isEmpty else {
                    throw wrong(path, "an array of words, such as [\"pass\", \"show\", \"openai\"]")
                }
                result.keyCommand = words
            default: warn(path, Self.serverNames)
            }
        }
        return result
    }

    private mutating func hours(
        _ value: JSONValue, _ path: [String]
    ) throws(ConfigurationError) -> [Configuration.HourName: Int] {
        guard let object = value.objectValue else {
            throw wrong(path, "an object such as { \"morning\": 8 }")
        }
        var result: [Configuration.HourName: Int] = [:]
        for member in object.members where !member.value.isNull {
            let path = path + [member.name]
            guard let name = Configuration.HourName(rawValue: member.name) else {
                warn(path, Configuration.HourName.allCases.map(\.rawValue))
                continue
            }
            guard let hour = member.value.integerValue, (0...23).contains(hour) else {
                throw wrong(path, "an hour from 0 to 23")
            }
            result[name] = hour
        }
        return result
    }

    /// The name of a folder of calendar files.
    private func folderName(
        _ value: JSONValue, _ path: [String]
    ) throws(ConfigurationError) -> String {
        let name = try text(value, path)
        guard !name.hasPrefix("."), !name.contains("/"), name.utf8.count <= 255 else {
            throw wrong(path, "the name of a folder, without a slash")
        }
        return name
    }

    func text(_ value: JSONValue, _ path: [String]) throws(ConfigurationError) -> String {
        guard let text = value.stringValue, !text.isEmpty else {
            throw wrong(path, "a string that is not empty")
        }
        return text
    }

    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ value: JSONValue, _ path: [String]
    ) throws(ConfigurationError) -> Word {
        guard let word = Word(rawValue: value.stringValue ?? "") else {
            let accepted = Word.allCases.map { "\"\($0.rawValue)\"" }
            throw wrong(path, "one of " + accepted.joined(separator: ", "))
        }
        return word
    }

    func words(_ value: JSONValue) -> [String]? {
        guard let elements = value.arrayValue else { return nil }
        let words = elements.compactMap(\.stringValue)
        return words.count == elements.count ? words : nil
    }

    func wrong(_ path: [String], _ accepted: String) -> ConfigurationError {
        let offset = JSON5.offset(of: path, in: bytes)
        let position = offset.map { JSON5.position(of: $0, in: bytes) }
        return ConfigurationError(
            reason: .wrongValue(name: path.joined(separator: "."), accepted: accepted), file: file,
            line: position?.line, column: position?.column)
    }

    mutating func warn(_ path: [String], _ known: [String]) {
        let name = path.last ?? ""
        let prefix = path.dropLast().map { $0 + "." }.joined()
        let line = JSON5.offset(of: path, in: bytes).map { JSON5.position(of: $0, in: bytes).line }
        let place = line.map { "\(file):\($0)" } ?? file
        var sentence = "\(place): there is no setting \(prefix)\(name)."
        let nearest = known.map { ($0, Self.distance(name, $0)) }.min { $0.1 < $1.1 }
        if let nearest, nearest.1 <= max(2, name.count / 3) {
            sentence += " Did you mean \(prefix)\(nearest.0)?"
        } else if known.count > 8 {
            sentence += " chat config lists them."
        } else {
            sentence += " There are: \(known.joined(separator: ", "))."
        }
        warnings.append(sentence)
    }

    /// Letters to insert, drop or change (Levenshtein).
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (line, character) in left.prefix(64).enumerated() {
            var diagonal = row[0]  // `row` has right.count + 1 elements
            row[0] = line + 1
            for column in right.indices {
                let changed = diagonal + (right[column] == character ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[right.count]
    }
}
