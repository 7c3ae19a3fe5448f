import AgentCore
import ToolServers

/// Reads the settings of alerts.
extension ConfigurationReader {
    private static let alertNames = [
        "terminal", "bell", "desktop", "hook", "snooze_minutes", "all_day_hour", "late_hours",
    ]

    mutating func alerts(
        _ value: JSONValue, _ path: [String]
    ) throws(ConfigurationError) -> AlertSettings {
        guard let object = value.objectValue else {
            throw wrong(path, "an object such as { \"bell\": false }")
        }
        var result = AlertSettings()
        for member in object.members where !member.value.isNull {
            let path = path + [member.name]
            switch member.name {
            case "terminal": result.terminal = try flag(member.value, path)
            case "bell": result.bell = try flag(member.value, path)
            case "desktop": result.desktop = try flag(member.value, path)
            case "hook":
                if let line = member.value.stringValue, !line.isEmpty {
                    result.hook = .line(line)
                } else if let words = words(member.value), words.first?.isEmpty == false {
                    result.hook = .words(words)
                } else {
                    throw wrong(path, "a line for the shell, or an array of words")
                }
            case "snooze_minutes":
                result.snoozeMinutes = try number(member.value, path, in: 1...10_080)
            case "all_day_hour": result.allDayHour = try number(member.value, path, in: 0...23)
            case "late_hours": result.lateHours = try number(member.value, path, in: 0...720)
            default: warn(path, Self.alertNames)
            }
        }
        return result
    }

    private func flag(_ value: JSONValue, _ path: [String]) throws(ConfigurationError) -> Bool {
        guard let flag = value.boolValue else { throw wrong(path, "true or false") }
        return flag
    }

    private func number(
        _ value: JSONValue, _ path: [String], in range: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int {
        guard let number = value.integerValue, range.contains(number) else {
            throw wrong(path, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
