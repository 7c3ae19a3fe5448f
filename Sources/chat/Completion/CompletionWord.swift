/// A word that may come next, and what it means.
struct CompletionWord: Sendable, Equatable {
    var text: String
    var detail = ""

    init(_ text: String, _ detail: String = "") {
        self.text = text
        self.detail = detail
    }
}
