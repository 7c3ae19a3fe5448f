/// The distinct lowercase words of a text, each with a small ID and its word classes.
///
/// Words are looked up as bytes: a novel has two hundred thousand, and a `String` for each
/// would take longer than everything else together.
package struct StoryVocabulary: Sendable {
    private var bytes: [UInt8] = []
    private var starts: [Int32] = [0]
    private var classes: [WordClass] = []
    /// A hash table with open addressing: ids, or -1.
    private var slots: [Int32]

    init(_ entries: [(word: String, wordClass: WordClass)]) {
        slots = [Int32](repeating: -1, count: 1 << 13)
        for (word, wordClass) in entries {
            let id = add(Array(word.utf8))
            classes[Int(id)].formUnion(wordClass)
        }
    }

    package var count: Int { classes.count }

    package func classes(of word: Int32) -> WordClass { classes[Int(word)] }

    package func text(of word: Int32) -> String {
        let id = Int(word)
        return String(decoding: bytes[Int(starts[id])..<Int(starts[id + 1])], as: UTF8.self)
    }

    /// Whether a word ends with `ending` and is longer.
    func ends(_ word: Int32, in ending: StaticString) -> Bool {
        let range = Int(starts[Int(word)])..<Int(starts[Int(word) + 1])
        let count = ending.utf8CodeUnitCount
        return range.count > count
            && ending.withUTF8Buffer { bytes[range].suffix(count).elementsEqual($0) }
    }

    /// The ID of a lowercase word; nil if it does not occur in the text.
    package func id(of word: String) -> Int32? {
        let id = slots[place(of: Array(word.utf8))]
        return id < 0 ? nil : id
    }

    /// The ID of a word given as lowercase bytes; adds it if it is new.
    mutating func add(_ word: [UInt8]) -> Int32 {
        let slot = place(of: word)
        if slots[slot] >= 0 { return slots[slot] }
        let id = Int32(classes.count)
        bytes.append(contentsOf: word)
        starts.append(Int32(bytes.count))
        classes.append([])
        slots[slot] = id
        if classes.count * 2 > slots.count { grow() }
        return id
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for id in classes.indices {
            let range = Int(starts[id])..<Int(starts[id + 1])
            slots[place(of: Array(bytes[range]))] = Int32(id)
        }
    }

    /// The slot of the word, or the free slot for it.
    private func place(of word: [UInt8]) -> Int {
        // FNV-1a.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in word { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        var slot = Int(truncatingIfNeeded: hash ^ (hash >> 29)) & (slots.count - 1)
        while slots[slot] >= 0 {
            let id = Int(slots[slot])
            let range = Int(starts[id])..<Int(starts[id + 1])
            if range.count == word.count, bytes[range].elementsEqual(word) { break }
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }
}
