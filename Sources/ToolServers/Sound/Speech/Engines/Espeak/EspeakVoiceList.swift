import Base
import StoryKit

/// The voices that espeak-ng names, and the results of those that were tried, as they are
/// kept in a file. Pure; the file holds nothing of the user.
struct EspeakVoiceList: Sendable, Equatable {
    enum Trial: Sendable, Equatable {
        /// The program fails with it.
        case failed
        /// A hash of its sound, and what brings it to the loudness of the others.
        case heard(sound: UInt64, gain: Double)
    }

    struct Entry: Sendable, Equatable {
        var voice: SpeechVoice
        /// Nil for one that was not tried.
        var trial: Trial?

        var isVariant: Bool { voice.identifier.contains("+") }
    }

    /// Of the program, in its own words: another one has other voices.
    var version: String
    /// The base that the variants are tried on.
    var standard: String
    var entries: [Entry]

    /// Changed when the way of probing does.
    private static let form = 4

    init(version: String, standard: String, entries: [Entry]) {
        self.version = version
        self.standard = standard
        self.entries = entries
    }

    // MARK: - Reading

    /// The sound of the standard voice: what is heard where a variant is not known.
    private var standardSound: UInt64? {
        guard case .heard(let sound, _)? = entry(standard)?.trial else { return nil }
        return sound
    }

    private func entry(_ identifier: String) -> Entry? {
        entries.first { $0.voice.identifier == identifier }
    }

    /// The languages and accents that work, and every speaker of the standard one that
    /// sounds like no other. Languages that were not tried are believed.
    /// - Parameter believes: so are speakers.
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

    /// What has to be tried before that language is spoken by different voices; for nil,
    /// before any is.
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

    /// - Parameter sample: nil where the program failed with it.
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

    /// Nil when anything of it is not as we wrote it.
    init?(_ bytes: [UInt8]) {
        // A damaged file is made again, whatever is wrong with it.
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

/// What `espeak-ng --voices` prints, and what of it is worth listing. Pure.
struct EspeakListing: Sendable, Equatable {
    struct Row: Sendable, Equatable {
        /// `en-gb-x-rp`; of a variant its file's name, `f3`.
        var identifier: String
        var name: String
        var gender: SpeechVoice.Gender?
    }

    /// Languages and accents, without those of MBROLA: their data is not free
    /// and mostly missing, and then many of them speak as another voice.
    var bases: [Row] = []
    var variants: [Row] = []
    /// Further names for a base: `en`, `fr`.
    var aliases: Set<String> = []

    /// - Parameters: the output with no language, and with `variant`.
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
                    // The program calls all of them male.
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
            // A file name of two words cannot be separated from what follows it.
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

    // MARK: - What was measured of 1.51

    /// Unvoiced, distorted or sung: no voice to listen to for long.
    private static func unfit(_ variant: String) -> Bool {
        variant.hasPrefix("robosoft") || noVoices.contains(variant)
    }

    private static let noVoices: Set<String> = [
        "whisper", "whisperf", "croak", "Demonic", "zac", "UniRobot", "anikaRobot", "AnxiousAndy",
        "Marco", "Tweaky", "fast",
    ]

    /// By their pitch: above 170 Hz they sound female, below 135 male,
    /// whatever the program says of them.
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
