import Synchronization

@testable import TerminalKit

/// A history without a file: private lines are refused, and lines that a test
/// adds for another instance come before those typed here.
final class MemoryHistory: LineHistory {
    private let lines: Mutex<[String]>
    private let hasNews = Mutex(true)

    init(_ lines: [String] = []) { self.lines = Mutex(lines) }

    var texts: [String] { lines.withLock { $0 } }

    func refresh() -> Bool {
        hasNews.withLock { news in
            defer { news = false }
            return news
        }
    }

    func append(_ text: String) -> Bool {
        guard !text.hasPrefix(" ") else { return false }
        lines.withLock { $0 = $0.filter { $0 != text } + [text] }
        return true
    }

    func addFromElsewhere(_ text: String) {
        lines.withLock { $0.insert(text, at: 0) }
        hasNews.withLock { $0 = true }
    }

    func request(query: String) -> PickerRequest {
        PickerRequest(
            heading: "History",
            items: texts.enumerated().reversed().map { PickerItem(id: "\($0)", title: $1) },
            initialQuery: query)
    }
}
