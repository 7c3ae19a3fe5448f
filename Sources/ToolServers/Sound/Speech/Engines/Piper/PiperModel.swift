import AgentCore
import Base

/// A piper model in the folder of models, and its speakers: `NAME.onnx` beside its
/// `NAME.onnx.json`. Only the name of the model itself is read.
struct PiperModel: Sendable, Equatable {
    static let ending = ".onnx"
    /// Maximum size of a configuration: a table of phonemes takes some 5 KB, a list of
    /// speakers at most a few hundred.
    private static let configurationBytes = 4 << 20

    /// The file's name without its ending: `en_US-joe-medium`.
    var name: String
    var path: String
    /// Samples a second.
    var rate: Int
    /// Length factor of its phonemes at its own speed.
    var lengthScale: Double
    var voices: [SpeechVoice]
    /// piper's speaker numbers; nil for a single speaker.
    private var numbers: [String: Int] = [:]

    /// - Parameter json: its configuration; nil if it is invalid.
    init?(name: String, path: String, _ json: JSONValue?) {
        guard let json, let rate = json["audio"]?["sample_rate"]?.integerValue,
            (8_000...96_000).contains(rate)
        else { return nil }
        (self.name, self.path, self.rate) = (name, path, Int(rate))
        let scale = json["inference"]?["length_scale"]?.doubleValue ?? 1
        lengthScale = scale.isFinite && (0.1...10).contains(scale) ? scale : 1
        let language =
            json["language"]?["code"]?.stringValue ?? json["espeak"]?["voice"]?.stringValue
        let speakers = (json["speaker_id_map"]?.objectValue?.members ?? [])
            .compactMap { speaker in speaker.value.integerValue.map { (speaker.name, Int($0)) } }
            .sorted { $0.1 < $1.1 }
        let dataset = json["dataset"]?.stringValue ?? ""
        let about = [language, json["language"]?["name_english"]?.stringValue, dataset]
            .compactMap(\.self)
        guard speakers.count > 1 else {
            var voice = SpeechVoice(named: name, language: language, aliases: [dataset])
            voice.name = about.dropFirst().filter { !$0.isEmpty }.joined(separator: ", ")
            voices = [voice]
            return
        }
        voices = speakers.map { speaker, number in
            var voice = SpeechVoice(
                named: "\(name)#\(number)", language: language,
                aliases: [speaker])
            // The male speakers of that corpus are in the table.
            if dataset == "vctk", voice.gender == nil { voice.gender = .female }
            voice.name = (about.dropFirst() + [speaker]).joined(separator: ", ")
            return voice
        }
        numbers = Dictionary(
            speakers.map { ("\(name)#\($0.1)", $0.1) }, uniquingKeysWith: { first, _ in first })
    }

    func speaker(of voice: String) -> Int? { numbers[voice] }

    /// The models of a folder, by name; other files are left out.
    static func all(in folder: String) -> [PiperModel] {
        (FilePath.names(in: folder) ?? []).filter { $0.hasSuffix(ending) }.sorted().compactMap {
            let path = "\(folder)/\($0)"
            // A model without a configuration is unusable.
            let bytes = try? WholeFile.read(path + ".json", limit: configurationBytes)
            return PiperModel(
                name: String($0.dropLast(ending.count)), path: path,
                // So is one whose configuration is not JSON: the initializer gets nil.
                bytes.flatMap { try? JSONParser.parse($0) })
        }
    }
}
