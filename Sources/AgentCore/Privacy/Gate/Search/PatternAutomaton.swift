/// Finds all of many byte patterns in one pass over a text (Aho and Corasick,
/// "Efficient string matching", 1975): the time grows with the text, not with the
/// number of patterns. Pure.
struct PatternAutomaton: Sendable {
    /// The state before the first byte.
    static let start: Int32 = 0

    /// The class of each byte; all bytes that occur in no pattern are of class 0.
    private var classes = [UInt8](repeating: 0, count: 256)
    private var width = 1
    /// The next state, by state and class of byte.
    private var next: [Int32] = []
    /// The first index into `ends` of each state, or -1.
    private var first: [Int32] = []
    /// Patterns that end at a state, linked to the others that end there too.
    private var ends: [(pattern: Int32, then: Int32)] = []

    init(_ patterns: [[UInt8]]) {
        for byte in Set(patterns.joined()).sorted() {
            classes[Int(byte)] = UInt8(width)
            width += 1
        }
        var owned: [[Int32]] = [[]]
        next = [Int32](repeating: -1, count: width)
        for (index, pattern) in patterns.enumerated() where !pattern.isEmpty {
            var state = 0
            for byte in pattern {
                let place = state * width + Int(classes[Int(byte)])
                if next[place] < 0 {
                    next[place] = Int32(owned.count)
                    owned.append([])
                    next.append(contentsOf: repeatElement(-1, count: width))
                }
                state = Int(next[place])
            }
            owned[state].append(Int32(index))
        }
        link(owned)
    }

    /// Completes the transitions, breadth first: a state without a matching edge takes that
    /// of the longest state that is a suffix of it.
    private mutating func link(_ owned: [[Int32]]) {
        first = [Int32](repeating: -1, count: owned.count)
        var suffix = [Int](repeating: 0, count: owned.count)
        var queue = [0]
        var head = 0
        while head < queue.count {
            let state = queue[head]
            head += 1
            first[state] = state == 0 ? -1 : first[suffix[state]]
            for pattern in owned[state] {
                ends.append((pattern, first[state]))
                first[state] = Int32(ends.count - 1)
            }
            for letter in 0..<width {
                let place = state * width + letter
                let other = state == 0 ? 0 : Int(next[suffix[state] * width + letter])
                if next[place] < 0 {
                    next[place] = Int32(other)
                } else {
                    suffix[Int(next[place])] = other
                    queue.append(Int(next[place]))
                }
            }
        }
    }

    /// - Parameter found: gets the number of a pattern and the index after its end.
    func search(
        _ bytes: some RandomAccessCollection<UInt8>, from state: inout Int32,
        found: (_ pattern: Int, _ end: Int) -> Void
    ) {
        var end = 0
        for byte in bytes {
            end += 1
            state = next[Int(state) * width + Int(classes[Int(byte)])]
            var place = first[Int(state)]
            while place >= 0 {
                let (pattern, then) = ends[Int(place)]
                found(Int(pattern), end)
                place = then
            }
        }
    }
}
