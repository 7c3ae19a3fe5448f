import AgentCore
import Foundation
import TestSupport
import XCTest

/// A user who writes letters with the real program: a profile, a résumé and a job in
/// files of theirs, and a look at everything a server got.
final class LetterRig {
    /// Twelve things that tell who it is.
    static let literals = [
        "Zoë Ångström-Okafor", "Zoe Okafor", "zoe.angstrom@mail.example.org",
        "okafor.z@example.com", "+44 7700 900 123", "0113 496 0456",
        "Flat 3, 29 Wisteria Mews", "Leeds LS6 2PL", "https://zoe-angstrom.example/cv",
        "github.com/zangstrom", "linkedin.com/in/zoe-angstrom-77", "14 March 1988",
    ]

    static let basics = """
        {"basics": {"name": "Dr. Zoë Ångström-Okafor", "label": "Data Engineer",
          "email": "zoe.angstrom@mail.example.org", "phone": "+44 7700 900 123",
          "url": "https://zoe-angstrom.example/cv",
          "summary": "Data engineer with eleven years of experience in payments.",
          "location": {"address": "Flat 3, 29 Wisteria Mews", "city": "Leeds",
            "postalCode": "LS6 2PL", "countryCode": "GB"},
          "profiles": [
            {"network": "GitHub", "username": "zangstrom", "url": "https://github.com/zangstrom"},
            {"network": "LinkedIn", "url": "https://linkedin.com/in/zoe-angstrom-77"}]},
        """
    static let body = """
          "work": [{"name": "Northern Rail Parts", "position": "Data Engineer",
            "startDate": "2016-03", "endDate": "2024-01", "highlights": [
              "Moved 4,200,000 records to PostgreSQL 15.4 without downtime.",
              "ZOE   ÅNGSTRÖM-OKAFOR won the internal prize in 2019.",
              "Handled 12,000 requests/s at peak; bugs go to ZOE.ANGSTROM (at) mail.example.org.",
              "On call under 07700900123 for 18 months; code at github.com/zangstrom/loader.",
              "Cut the cost of reports by 38 % with Python 3.11 and Apache Kafka 3.5."]}],
          "education": [{"institution": "University of Leeds", "area": "Mathematics",
            "studyType": "BSc", "startDate": "2006", "endDate": "2009"}],
          "skills": [{"name": "Data", "keywords": ["Python 3.11", "PostgreSQL", "Kafka"]}],
          "references": [{"name": "Prof. Hamish Fotheringay",
            "reference": "Reach me under 0131 496 0789 or h.fotheringay@example.net."}]}
        """
    /// Somebody else's, from the résumé and the advert.
    static let strangers = [
        "Hamish Fotheringay", "0131 496 0789", "h.fotheringay@example.net",
        "priscilla.vane@castellum.example", "020 7946 0999",
    ]
    static let advert = """
        Castellum Data is hiring: Senior Data Engineer

        We move payments for 300 banks. You bring Python, Kafka and a steady hand, and you
        care for what happens when nobody looks.

        Please apply to Priscilla Vane, priscilla.vane@castellum.example, 020 7946 0999.
        """
    /// Nothing in it that would have to stand in the résumé.
    static func answer(words: Int) -> String {
        let sentence = "I would bring the same care to your team and learn from its people. "
        let all = String(repeating: sentence, count: words / 13 + 1).split(separator: " ")
        let paragraphs = [
            all.prefix(words / 2), all.dropFirst(words / 2).prefix(words - words / 2),
        ]
        return paragraphs.map { $0.joined(separator: " ") }.joined(separator: "\n\n")
    }

    let chat: ChatProgram
    let resume, job: String

    /// - Parameter server: nil is a machine without a model.
    init(_ server: ProviderServer?, hasProfile: Bool = true) throws {
        chat = try server.map { try ChatProgram($0) } ?? ChatProgram()
        resume = chat.folder.path("resume.json")
        job = chat.folder.path("job.txt")
        try Self.write(Self.basics + Self.body, to: resume)
        try Self.write(Self.advert, to: job)
        guard hasProfile else { return }
        try must(["profile", "import", resume])
        try must(["profile", "add", "name", "Zoe Okafor"])
        try must(["profile", "add", "email", "okafor.z@example.com"])
        try must(["profile", "add", "phone", "0113 496 0456"])
        try must(["profile", "set", "birth-date", "14 March 1988"])
    }

    static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    @discardableResult
    func must(
        _ words: [String], input: String = "", exit: Int32 = 0, file: StaticString = #filePath,
        line: UInt = #line
    ) throws -> String {
        let done = try chat.run(words, input: input)
        XCTAssertEqual(
            done.exit, exit, "chat \(words.joined(separator: " ")): \(done.text)\(done.errorText)",
            file: file, line: line)
        return done.text
    }

    /// `chat letter new` for the résumé and the job.
    func letter(_ words: String..., input: String = "") throws -> RunningProgram.Result {
        try chat.run(["letter", "new", "--resume", resume, "--job", job] + words, input: input)
    }

    /// Nothing a server got, in any header or body, tells who anybody is.
    static func assertNothingTold(
        _ server: ProviderServer, file: StaticString = #filePath, line: UInt = #line
    ) {
        let scan = PersonScan(literals: literals + strangers)
        for (index, request) in server.allRequests.enumerated() {
            let head =
                request.path
                + request.headers.map { "\($0.name): \($0.value)" }
                .joined(separator: "\n")
            XCTAssertEqual(
                scan.hits(in: head) + scan.hits(in: request.body), [], "request \(index)",
                file: file, line: line)
        }
    }

    /// The files under the home in which one of these stands, by their path in it.
    func files(with literals: [String]) throws -> [String] {
        try chat.files.filter { name in
            let data = Data(try chat.bytes(name))
            return literals.contains { data.range(of: Data($0.utf8)) != nil }
        }
    }
}
