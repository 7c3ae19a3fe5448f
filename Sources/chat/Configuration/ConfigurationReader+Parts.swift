import AgentCore
import TerminalKit

/// Reads the settings that have parts.
extension ConfigurationReader {
    mutating func prices(
        _ value: JSONValue, _ path: [String]
    ) throws(ConfigurationError) -> [String: Configuration.Price] {
        let names = ["input", "output", "cached_input", "cache_write"]
        var result: [String: Configuration.Price] = [:]
        for model in try object(value, path, "an object by model name").members {
            let path = path + [model.name]
            let accepted = "an object with input and output, dollars for a million tokens"
            var found: [String: Double] = [:]
            for member in try object(model.value, path, accepted).members {
                guard names.contains(member.name) else {
                    warn(path + [member.name], names)
                    continue
                }
                found[member.name] = try dollars(member.value, path + [member.name])
            }
            guard let input = found["input"], let output = found["output"] else {
                throw wrong(path, accepted)
            }
            result[model.name] = Configuration.Price(
                input: input, output: output, cachedInput: found["cached_input"],
                cacheWrite: found["cache_write"])
        }
        return result
    }

    mutating func budget(
        _ value: JSONValue, _ path: [String]
    ) throws(ConfigurationError) -> Configuration.Budget {
        var result = Configuration.Budget()
        let accepted = "an object such as { \"day\": 2.50 }, in dollars"
        for member in try object(value, path, accepted).members where !member.value.isNull {
            let path = path + [member.name]
            switch member.name {
            case "conversation": result.conversation = try dollars(member.value, path)
            case "day": result.day = try dollars(member.value, path)
            case "month": result.month = try dollars(member.value, path)
            default: warn(path, ["conversation", "day", "month"])
            }
        }
        return result
    }

    mutating func roles(
        _ value: JSONValue, _ path: [String]
    ) throws(ConfigurationError) -> [String: Configuration.Role] {
        var result: [String: Configuration.Role] = [:]
        for role in try object(value, path, "an object by name of the role").members {
            let path = path + [role.name]
            if let system = role.value.stringValue, !system.isEmpty {
                result[role.name] = Configuration.Role(system: system)
                continue
            }
            let accepted = "a text, or an object with system and maybe model, effort, temperature"
            var made = Configuration.Role(system: "")
            for member in try object(role.value, path, accepted).members {
                let path = path + [member.name]
                switch member.name {
                case "system": made.system = try text(member.value, path)
                case "model": made.model = try text(member.value, path)
                case "effort": made.effort = try word(member.value, path)
                case "temperature":
                    guard let number = member.value.doubleValue, (0...2).contains(number) else {
                        throw wrong(path, "a number from 0 to 2")
                    }
                    made.temperature = number
                default: warn(path, ["system", "model", "effort", "temperature"])
                }
            }
            guard !made.system.isEmpty else { throw wrong(path, accepted) }
            result[role.name] = made
        }
        return result
    }

    mutating func theme(
        _ value: JSONValue, _ path: [String]
    ) throws(ConfigurationError) -> Theme.Choice {
        var result = Theme.Choice()
        if value.stringValue != nil {
            result.base = try word(value, path)
            return result
        }
        let accepted = "auto, light or dark, or an object such as { \"heading\": \"bold blue\" }"
        let colors = RichLine.Color.allCases.map(\.rawValue)
        for member in try object(value, path, accepted).members where !member.value.isNull {
            let path = path + [member.name]
            if member.name == "base" {
                result.base = try word(member.value, path)
            } else if let color = RichLine.Color(rawValue: member.name) {
                let words = try text(member.value, path)
                guard LookWords(words) != nil else { throw wrong(path, LookWords.accepted) }
                result.looks[color] = words
            } else {
                warn(path, ["base"] + colors)
            }
        }
        return result
    }

    private func object(
        _ value: JSONValue, _ path: [String], _ accepted: String
    ) throws(ConfigurationError) -> JSONObject {
        guard let object = value.objectValue else { throw wrong(path, accepted) }
        return object
    }

    private func dollars(_ value: JSONValue, _ path: [String]) throws(ConfigurationError) -> Double
    {
        guard let number = value.doubleValue, number >= 0, number < 1e9 else {
            throw wrong(path, "dollars, 0 or more")
        }
        return number
    }
}
