import Synchronization

/// The last fetched pages, for reading on in them: few, limited in size, and each only for
/// the conversation that fetched it. In memory only.
final class PageCache: Sendable {
    private struct Entry {
        let conversation: String?
        /// The requested address, and the final one.
        let addresses: Set<String>
        let page: WebPage
    }

    /// Newest last.
    private let entries = Mutex<[Entry]>([])
    private let pages: Int
    private let bytes: Int

    init(pages: Int = 12, bytes: Int = 16 << 20) {
        self.pages = pages
        self.bytes = bytes
    }

    func keep(_ page: WebPage, askedAs address: String, in conversation: String?) {
        let entry = Entry(
            conversation: conversation, addresses: [address, page.address], page: page)
        entries.withLock { entries in
            entries.removeAll {
                $0.conversation == conversation && !$0.addresses.isDisjoint(with: entry.addresses)
            }
            entries.append(entry)
            var size = 0
            let first = entries.lastIndex { entry in
                size += entry.page.text.utf8.count
                return size > bytes
            }
            // The newest stays, whatever its size.
            let dropped = min(entries.count - 1, (first ?? -1) + 1)
            entries.removeFirst(max(dropped, entries.count - pages))
        }
    }

    func page(_ address: String, in conversation: String?) -> WebPage? {
        entries.withLock { entries in
            entries.last {
                $0.conversation == conversation && $0.addresses.contains(address)
            }?.page
        }
    }
}
