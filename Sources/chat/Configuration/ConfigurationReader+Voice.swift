import AgentCore
import ToolServers

/// Reads the settings of transcribing, recording and speaking.
extension ConfigurationReader {
    private static let transcriptionNames = [
        "base_url", "key_command", "model", "language", "prompt", "limit_bytes",
    ]
    private static let recordingNames = ["command", "cap_minutes", "stop_after_silence"]
    private static let speechNames = [
        "engine", "base_url", "key_command", "model", "voice", "rate", "pitch", "volume", "player",
    ]

    mutating func transcription(
        _ value: JSONValue, _ path: [String]
    ) throws(ConfigurationError) -> VoiceSettings.Transcription {
        var result = VoiceSettings.Transcription()
        for member in try members(value, path, "{ \"model\": \"whisper-1\" }") {
            let path = path + [member.name]
            switch member.name {
            case "base_url": result.baseURL = try url(member.value, path)
            case "key_command": result.keyCommand = try command(member.value, path, "pass")
            case "model": result.model = try text(member.value, path)
            case "language":
                guard
                    let code = TranscriptionOptions.languageCode(try text(member.value, path))
                else { throw wrong(path, "a code of two or three letters, such as \"en\"") }
                result.language = code
            case "prompt": result.prompt = try text(member.value, path)
            case "limit_bytes":
                // Less is half a minute of sound, cut in the middle of what is
                // said; more no request carries.
                result.limitInBytes = try whole(
                    member.value, path, in: 1_000_000...2_000_000_000)
            default: warn(path, Self.transcriptionNames)
            }
        }
        return result
    }

    mutating func recording(
        _ value: JSONValue, _ path: [String]
    ) throws(ConfigurationError) -> VoiceSettings.Recording {
        var result = VoiceSettings.Recording()
        for member in try members(value, path, "{ \"cap_minutes\": 60 }") {
            let path = path + [member.name]
            switch member.name {
            case "command": result.command = try command(member.value, path, "arecord")
            case "cap_minutes": result.capInMinutes = try whole(member.value, path, in: 1...1_440)
            case "stop_after_silence":
                result.stopAfterSilence = try number(member.value, path, in: 0.5...600)
            default: warn(path, Self.recordingNames)
            }
        }
        return result
    }

    mutating func speech(
        _ value: JSONValue, _ path: [String]
    ) throws(ConfigurationError) -> VoiceSettings.Speech {
        var result = VoiceSettings.Speech()
        for member in try members(value, path, "{ \"voice\": \"en-gb+f3\" }") {
            let path = path + [member.name]
            switch member.name {
            case "engine": result.engine = try word(member.value, path)
            case "base_url": result.baseURL = try url(member.value, path)
            case "key_command": result.keyCommand = try command(member.value, path, "pass")
            case "model": result.model = try text(member.value, path)
            case "voice": result.voice = try text(member.value, path)
            case "rate": result.rate = try number(member.value, path, in: 0...1)
            case "pitch": result.pitch = try number(member.value, path, in: 0.5...2)
            case "volume": result.volume = try number(member.value, path, in: 0...1)
            case "player": result.playerCommand = try command(member.value, path, "aplay")
            default: warn(path, Self.speechNames)
            }
        }
        return result
    }

    private func members(
        _ value: JSONValue, _ path: [String], _ example: String
    ) throws(ConfigurationError) -> [JSONObject.Member] {
        guard let object = value.objectValue else {
            throw wrong(path, "an object such as \(example)")
        }
        return object.members.filter { !$0.value.isNull }
    }

    private func url(_ value: JSONValue, _ path: [String]) throws(ConfigurationError) -> String {
        guard let url = value.stringValue, KeyOrigin(url) != nil else {
            throw wrong(path, "a URL that begins with https:// or http://")
        }
        return url
    }

    private func command(
        _ value: JSONValue, _ path: [String], _ example: String
    ) throws(ConfigurationError) -> [String] {
        let words = value.stringValue.map(ShellTokenizer.words(of:)) ?? words(value)
        guard let words, let first = words.first, !first.isEmpty else {
            throw wrong(path, "a program and its arguments, such as [\"\(example)\", \"-q\"]")
        }
        return words
    }

    private func whole(
        _ value: JSONValue, _ path: [String], in range: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int {
        guard let number = value.integerValue, range.contains(number) else {
            throw wrong(path, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func number(
        _ value: JSONValue, _ path: [String], in range: ClosedRange<Double>
    ) throws(ConfigurationError) -> Double {
        guard let number = value.doubleValue, range.contains(number) else {
            let bounds = [range.lowerBound, range.upperBound].map(Settings.plain)
            throw wrong(path, "a number from \(bounds[0]) to \(bounds[1])")
        }
        return number
    }
}
