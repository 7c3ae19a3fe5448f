import AgentCore

/// The voices that were found to be what they are called, as they are kept in
/// a file. Pure; the file holds nothing of the person.
struct EspeakVoiceList: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        var voice: SpeechVoice
        /// Brings it to the loudness of the others.
        var gain: Double
    }

    /// Of the program, in its own words: another one has other voices.
    var version: String
    /// The base that the variants were tried on.
    var standard: String
    var entries: [Entry]

    /// Changed when the way of probing does.
    private static let form = 1

    var json: JSONValue {
        [
            "form": JSONValue(Self.form), "version": .string(version),
            "standard": .string(standard),
            "voices": .array(
                entries.map { entry in
                    .compact([
                        "id": .string(entry.voice.identifier), "name": .string(entry.voice.name),
                        "language": .string(entry.voice.language),
                        "gender": entry.voice.gender.map { .string($0.rawValue) },
                        "gain": JSONValue(entry.gain),
                    ])
                }),
        ]
    }

    init(version: String, standard: String, entries: [Entry]) {
        self.version = version
        self.standard = standard
        self.entries = entries
    }

    /// Nil when anything of it is not as we wrote it.
    init?(_ bytes: [UInt8]) {
        // A damaged file is made anew, whatever is wrong with it.
        guard let json = try? JSONParser.parse(bytes), json["form"]?.integerValue == Self.form,
            let version = json["version"]?.stringValue,
            let standard = json["standard"]?.stringValue, let voices = json["voices"]?.arrayValue
        else { return nil }
        var entries: [Entry] = []
        for voice in voices {
            guard let identifier = voice["id"]?.stringValue,
                EspeakVoiceName(identifier) != nil, let name = voice["name"]?.stringValue,
                let language = voice["language"]?.stringValue,
                let gain = voice["gain"]?.doubleValue, gain > 0, gain <= 8
            else { return nil }
            let gender = voice["gender"]?.stringValue.flatMap(SpeechVoice.Gender.init)
            entries.append(
                Entry(
                    voice: SpeechVoice(
                        identifier: identifier, name: name, language: language, gender: gender),
                    gain: gain))
        }
        self.init(version: version, standard: standard, entries: entries)
    }

    func gain(of name: EspeakVoiceName) -> Double? {
        entries.first { $0.voice.identifier == name.text }?.gain
    }
}
