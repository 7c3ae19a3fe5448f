import Base
import StoryKit

/// The voices that espeak-ng lists, with the results of trying them, as stored in a file.
/// Pure; the file contains no user data.
struct EspeakVoiceList: Sendable, Equatable {
    enum Trial: Sendable, Equatable {
        /// The program fails with this voice.
        case failed
        /// A hash of its sound, and the gain to the common loudness.
        case heard(sound: UInt64, gain: Double)
    }

    struct Entry: Sendable, Equatable {
        var voice: SpeechVoice
        /// Nil if it was not tried.
        var trial: Trial?

        var isVariant: Bool { voice.identifier.contains("+") }
    }

    /// The program's version string: another version has other voices.
    var version: String
    /// The base voice with which the variants are tried.
    var standard: String
    var entries: [Entry]

    /// Version of the file; changed together with the method of probing.
    private static let form = 4

    init(version: String, standard: String, entries: [Entry]) {
        self.version = version
        self.standard = standard
        self.entries = entries
    }

    // MARK: - Reading

    /// The sound of the standard voice, which is also heard for an unknown variant.
    private var standardSound: UInt64? {
        guard case .heard(let sound, _)? = entry(standard)?.trial else { return nil }
        return sound
    }

    private func entry(_ identifier: String) -> Entry? {
        entries.first { $0.voice.identifier == identifier }
    }

    /// The languages and accents that work, and every variant of the standard voice with a
    /// distinct sound. Untried languages are assumed to work.
    /// - Parameter believes: assume the same of variants.
    func voices(believes: Bool = false) -> [SpeechVoice] {
        var heard = Set([standardSound].compactMap(\.self))
        return entries.compactMap { entry in
            switch entry.trial {
            case nil: !entry.isVariant || believes ? entry.voice : nil
            case .failed: nil
            case .heard(let sound, _):
                !entry.isVariant || heard.insert(sound).inserted ? entry.voice : nil
            }
        }
    }

    func gain(of name: EspeakVoiceName) -> Double? {
        guard case .heard(let sound, let gain)? = entry(name.text)?.trial,
            name.variant == nil || sound != standardSound
        else { return nil }
        return gain
    }

    /// The voices to be tried before several voices can speak the language; for nil, before
    /// any can.
    func untried(for language: String?) -> [SpeechVoice] {
        let bases = entries.filter { !$0.isVariant }.map(\.voice.identifier)
        let spoken = language.map { EspeakVoiceName.base(for: $0, among: bases) ?? standard }
        return entries.filter { entry in
            let base = entry.voice.identifier
            return entry.trial == nil
                && (entry.isVariant || base == standard
                    || spoken.map { EspeakVoiceName.areOneLanguage(base, $0) } ?? true)
        }.map(\.voice)
    }

    // MARK: - Trying

    /// - Parameter sample: nil if the program failed with the voice.
    mutating func note(_ identifier: String, _ sample: EspeakVoices.Sample?) {
        guard let place = entries.firstIndex(where: { $0.voice.identifier == identifier }) else {
            return
        }
        entries[place].voice.pitch = sample?.measure?.pitch?.rounded()
        entries[place].voice.centroid = sample?.measure?.centroid?.rounded()
        entries[place].trial = sample.map { .heard(sound: $0.hash, gain: $0.gain) } ?? .failed
    }

    // MARK: - The file

    var json: JSONValue {
        [
            "form": JSONValue(Self.form), "version": .string(version),
            "standard": .string(standard),
            "voices": .array(
                entries.map { entry in
                    var (sound, gain): (JSONValue?, JSONValue?)
                    if case .heard(let hash, let factor) = entry.trial {
                        sound = .string(String(hash, radix: 16))
                        gain = JSONValue(factor)
                    }
                    return .compact([
                        "id": .string(entry.voice.identifier), "name": .string(entry.voice.name),
                        "language": .string(entry.voice.language),
                        "gender": entry.voice.gender.map { .string($0.rawValue) },
                        "pitch": entry.voice.pitch.map { JSONValue($0) },
                        "centroid": entry.voice.centroid.map { JSONValue($0) },
                        "sound": sound, "gain": gain,
                        "fails": entry.trial == .failed ? true : nil,
                    ])
                }),
        ]
    }

    /// Nil for a malformed file.
    init?(_ bytes: [UInt8]) {
        // A damaged file is rebuilt, whatever is wrong with it.
        guard let json = try? JSONParser.parse(bytes), json["form"]?.integerValue == Self.form,
            let version = json["version"]?.stringValue,
            let standard = json["standard"]?.stringValue, let voices = json["voices"]?.arrayValue
        else { return nil }
        var entries: [Entry] = []
        for voice in voices {
            guard let identifier = voice["id"]?.stringValue,
                EspeakVoiceName(identifier) != nil, let name = voice["name"]?.stringValue,
                let language = voice["language"]?.stringValue
            else { return nil }
            var trial: Trial? = voice["fails"] == nil ? nil : .failed
            if let text = voice["sound"]?.stringValue {
                guard let sound = UInt64(text, radix: 16), let gain = voice["gain"]?.doubleValue,
                    gain > 0, gain <= 8
                else { return nil }
                trial = .heard(sound: sound, gain: gain)
            }
            let gender = voice["gender"]?.stringValue.flatMap(SpeechVoice.Gender.init)
            entries.append(
                Entry(
                    voice: SpeechVoice(
                        identifier: identifier, name: name, language: language, gender: gender,
                        pitch: voice["pitch"]?.doubleValue,
                        centroid: voice["centroid"]?.doubleValue),
                    trial: trial))
        }
        self.init(version: version, standard: standard, entries: entries)
    }
}

/// Parses the output of `espeak-ng --voices` and selects the voices worth listing. Pure.
struct EspeakListing: Sendable, Equatable {
    struct Row: Sendable, Equatable {
        /// `en-gb-x-rp`; for a variant its file name, `f3`.
        var identifier: String
        var name: String
        var gender: SpeechVoice.Gender?
    }

    /// Languages and accents, without MBROLA voices: their data is not free and usually
    /// missing, and then many of them speak with another voice.
    var bases: [Row] = []
    var variants: [Row] = []
    /// Aliases of base voices: `en`, `fr`.
    var aliases: Set<String> = []

    /// - Parameters: the output without a language, and for `variant`.
    init(voices: String, variants: String) {
        var seen: Set<String> = []
        for columns in Self.rows(voices) where !columns.file.hasPrefix("mb/") {
            aliases.formUnion(columns.others)
            guard columns.language != "variant", !columns.file.hasPrefix("!v/"),
                EspeakVoiceName(columns.language)?.text == columns.language,
                seen.insert(columns.language).inserted
            else { continue }
            bases.append(
                Row(
                    identifier: columns.language, name: columns.name,
                    // The program labels all of them male.
                    gender: columns.gender))
        }
        for columns in Self.rows(variants) where columns.file.hasPrefix("!v/") {
            let file = String(columns.file.dropFirst(3))
            guard EspeakVoiceName(base: "en", variant: file) != nil, !Self.unfit(file),
                seen.insert("+" + file).inserted
            else { continue }
            self.variants.append(
                Row(identifier: file, name: file, gender: Self.gender(file) ?? columns.gender))
        }
    }

    // MARK: - Columns

    private struct Columns {
        var language: String
        var gender: SpeechVoice.Gender?
        var name: String
        var file: String
        var others: [String]
    }

    /// `Pty Language Age/Gender VoiceName File Other Languages`.
    private static func rows(_ text: String) -> [Columns] {
        text.split(separator: "\n").dropFirst().compactMap { line -> Columns? in
            let words = line.split(separator: " ")
            // A file name of two words cannot be separated from the next column.
            guard words.count >= 5, Int(words[0]) != nil,
                words.dropFirst(5).first?.hasPrefix("(") ?? true
            else { return nil }
            let gender: SpeechVoice.Gender? =
                switch words[2].split(separator: "/").last {
                case "M": .male
                case "F": .female
                default: nil
                }
            // "(zh-cmn 5)(zh 5)".
            let others = line.split(separator: "(").dropFirst().compactMap {
                $0.split(separator: " ").first.map(String.init)
            }.filter { EspeakVoiceName($0) != nil }
            return Columns(
                language: String(words[1]), gender: gender,
                name: String(words[3]).replacing("_", with: " "), file: String(words[4]),
                others: others)
        }
    }

    // MARK: - Measured with 1.51

    /// Whether a variant is unvoiced, distorted or sung, and so tiring to listen to.
    private static func unfit(_ variant: String) -> Bool {
        variant.hasPrefix("robosoft") || noVoices.contains(variant)
    }

    private static let noVoices: Set<String> = [
        "whisper", "whisperf", "croak", "Demonic", "zac", "UniRobot", "anikaRobot", "AnxiousAndy",
        "Marco", "Tweaky", "fast",
    ]

    /// The gender by pitch: above 170 Hz voices sound female, below 135 male, whatever the
    /// program says.
    private static func gender(_ variant: String) -> SpeechVoice.Gender? {
        female.contains(variant) ? .female : male.contains(variant) ? .male : nil
    }

    private static let female: Set<String> = [
        "aunty", "f1", "f2", "f3", "f4", "f5", "shelby", "steph", "grandma", "linda", "belinda",
        "Annie", "Andrea", "anika",
    ]

    private static let male: Set<String> = [
        "announcer", "david", "paul", "Storm", "quincy", "Mike", "m1", "m2", "m3", "m4", "m5", "m6",
        "m7", "m8", "Gene", "victor", "Lee", "iven", "Denis", "max", "robert", "adam", "edward",
        "norbert", "boris", "Alex", "travis", "Michael", "grandpa", "gustave", "pablo", "rob", "ed",
    ]
}
