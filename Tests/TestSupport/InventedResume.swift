import Base
import Foundation
import Privacy
import XCTest

/// A résumé whose person is known, with the job it is for: a line of
/// `Fixtures/redaction/resumes.jsonl`, or of what makes them.
package struct InventedResume: Sendable {
    package struct Person: Sendable {
        package var first, last, script, email, phone, street, city: String
        package var url, handle, birth, born, identifier: String
        /// First or last name is an ordinary word, which stays elsewhere.
        package var isWord: Bool
    }

    package var id, country, layout, format, share, text: String
    /// What its owner told the program: kind and value.
    package var profile: [(kind: String, value: String)]
    package var person: Person
    package var referees: [Person]
    /// What of other people stands in the body, by kind.
    package var unknown: [(kind: String, text: String)]
    /// The words of the body that are nobody's, by class.
    package var stay: [String: [String]]
    package var job, company, role: String
    package var recruiter: Person
    /// The name of its file, where that tells who the person is.
    package var file: String

    /// The frozen hundred.
    package static func frozen() throws -> [InventedResume] {
        let folder = try XCTUnwrap(Bundle.module.resourceURL)
        let bytes = try Data(
            contentsOf: folder.appending(path: "Fixtures/redaction/resumes.jsonl"))
        return try parsed(bytes)
    }

    /// Pairs that differ only in who the person is.
    package static func twins(_ count: Int, seed: String = "twins") throws
        -> [(InventedResume, InventedResume)]
    {
        let script =
            "import runpy, sys; sys.argv[0] = sys.argv.pop(1); "
            + "runpy.run_path(sys.argv[0], run_name='__main__')"
        let made = try Python.run(
            script, arguments: [generator, "--twins", "--seed", seed, "--count", "\(count)"])
        return try made.split(separator: "\n").map { line in
            let value = try JSONParser.parse(Array(line.utf8))
            let pair = try XCTUnwrap(value["pair"]?.arrayValue)
            let advert = try XCTUnwrap(value["advert"])
            return (try resume(pair[0], advert), try resume(pair[1], advert))
        }
    }

    private static let generator = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Benchmarks/resumes/generate.py").standardizedFileURL.path

    private static func parsed(_ bytes: Data) throws -> [InventedResume] {
        try bytes.split(separator: UInt8(ascii: "\n")).map { line in
            let value = try JSONParser.parse(Array(line))
            return try resume(value, try XCTUnwrap(value["advert"]))
        }
    }

    private static func resume(_ value: JSONValue, _ advert: JSONValue) throws -> InventedResume {
        func text(_ name: String) -> String { value[name]?.stringValue ?? "" }
        func pairs(_ name: String) -> [(String, String)] {
            (value[name]?.arrayValue ?? []).map {
                ($0.arrayValue?.first?.stringValue ?? "", $0.arrayValue?.last?.stringValue ?? "")
            }
        }
        var stay: [String: [String]] = [:]
        for member in value["stay"]?.objectValue?.members ?? [] {
            stay[member.name] = (member.value.stringValue ?? "").split(separator: " ")
                .map(String.init)
        }
        return InventedResume(
            id: text("id"), country: text("country"), layout: text("layout"),
            format: text("format"), share: text("share"), text: text("text"),
            profile: pairs("profile").map { (kind: $0.0, value: $0.1) },
            person: try person(value["person"]),
            referees: try (value["referees"]?.arrayValue ?? []).map { try person($0) },
            unknown: pairs("unknown").map { (kind: $0.0, text: $0.1) }, stay: stay,
            job: advert["text"]?.stringValue ?? "",
            company: advert["company"]?.stringValue ?? "",
            role: advert["role"]?.stringValue ?? "", recruiter: try person(advert["recruiter"]),
            file: text("file"))
    }

    private static func person(_ value: JSONValue?) throws -> Person {
        let value = try XCTUnwrap(value)
        func text(_ name: String) -> String { value[name]?.stringValue ?? "" }
        return Person(
            first: text("first"), last: text("last"), script: text("script"),
            email: text("email"), phone: text("phone"), street: text("street"),
            city: text("city"), url: text("url"), handle: text("handle"), birth: text("birth"),
            born: text("born"), identifier: text("id"), isWord: value["word"]?.boolValue ?? false)
    }
}

extension InventedResume {
    /// The profile as the redaction knows it.
    package var declared: PersonalData {
        var data = PersonalData()
        for (kind, value) in profile {
            data.add(
                kind == "birthdate" ? .birthDate : PersonalData.Kind(rawValue: kind) ?? .name,
                value)
        }
        return data
    }

    /// How many words of each class are counted, and how many of them a text lacks.
    package func lost(in text: String) -> [String: (lost: [String], of: Int)] {
        var have: [String: Int] = [:]
        for word in Self.words(text) { have[word, default: 0] += 1 }
        var found: [String: (lost: [String], of: Int)] = [:]
        for (kind, words) in stay.sorted(by: { $0.key < $1.key }) {
            var lost: [String] = []
            for word in words {
                if have[word, default: 0] > 0 {
                    have[word, default: 0] -= 1
                } else {
                    lost.append(word)
                }
            }
            found[kind] = (lost, words.count)
        }
        return found
    }

    private static let punctuation = CharacterSet(
        charactersIn: "\"'“”„«»‘’()[]{}<>*_`|#.,;:!?–—-·•/\\")

    /// Between blanks and bars, without punctuation around them, as the generator counts.
    private static func words(_ text: String) -> [String] {
        text.split { $0.isWhitespace || $0 == "|" }.map {
            $0.trimmingCharacters(in: punctuation)
        }.filter { !$0.isEmpty }
    }
}
