import Base
import CWords

/// The word lists of `job-words.txt`, loaded with the first advert.
struct JobWords: Sendable {
    static let shared = JobWords()

    enum Label: String, Sendable, CaseIterable { case company, role, reference, recipient }

    let labels: [String: Label]
    /// Folded words with which an advert asks for a detail: "start", "salary".
    let questions: [String: [String]]
    /// The phrases for seeking staff, longest first.
    let seeking: [String]
    let joints: Set<String>
    let mister: Set<String>
    let misses: Set<String>

    private init() {
        let file = LexiconFile(.jobWords)
        func list(_ section: String) -> [String] {
            file.lines(section).flatMap { $0.split(separator: ",") }.map(ResumeWords.folded)
        }
        var labels: [String: Label] = [:]
        for label in Label.allCases {
            for text in list("label \(label.rawValue)") {
                let key = ResumeWords.letters(text)
                if labels[key] == nil { labels[key] = label }
            }
        }
        self.labels = labels
        questions = ["start": list("asks start"), "salary": list("asks salary")]
        seeking = list("seeking").sorted { $0.utf8.count > $1.utf8.count }
        joints = Set(list("role end"))
        mister = Set(list("mr").map(ResumeWords.letters))
        misses = Set(list("ms").map(ResumeWords.letters))
    }
}

/// The words with which adverts ask for a detail.
package enum JobQuestions {
    /// - Parameter section: `start`, `salary`.
    package static func words(_ section: String) -> [String] {
        JobWords.shared.questions[section] ?? []
    }
}
