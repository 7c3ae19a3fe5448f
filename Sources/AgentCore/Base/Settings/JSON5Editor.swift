/// Changes one member of a configuration file and leaves every other byte unchanged:
/// comments, order, layout. Pure.
///
///     the member exists         its value is replaced in place
///     its object exists         added after the last member, on a line of its own if the
///                               object has several
///     neither exists            the object is added with it
///     removed                   with its comma and, if nothing else is on it, its line
///
/// Only for texts that `JSON5.parse` accepts and that are an object; for a repeated name
/// the last one counts, as for the parser.
package struct JSON5Editor {
    package struct Failure: Error, Sendable, Equatable {
        /// The path of the member that is not an object but would have to be.
        package var path: [String]
    }

    package private(set) var bytes: [UInt8]
    /// The text without comments.
    private var plain: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        plain = JSON5.blanked(bytes)
    }

    // MARK: - What is there

    private struct Member {
        var name: String?
        /// The offset of its opening quote.
        var start: Int
        var value: Range<Int>
    }

    private struct Object {
        var open: Int
        var close: Int
        var members: [Member] = []

        func last(_ name: String) -> Int? { members.lastIndex { $0.name == name } }
    }

    private func object(at open: Int) -> Object {
        var object = Object(open: open, close: open)
        var place = open + 1
        while true {
            place = JSON5.skippingSpace(plain, from: place)
            guard place < plain.count, plain[place] != UInt8(ascii: "}") else { break }
            if plain[place] == UInt8(ascii: ",") {
                place += 1
                continue
            }
            let end = JSON5.endOfString(plain, from: place)
            // After the colon, which the parser has checked.
            let start = JSON5.skippingSpace(plain, from: JSON5.skippingSpace(plain, from: end) + 1)
            let value = start..<JSON5.endOfValue(plain, from: start)
            object.members.append(
                Member(
                    // The parser has accepted it before.
                    name: (try? JSONParser.parse(Array(plain[place..<end])))?.stringValue,
                    start: place, value: value))
            place = max(value.upperBound, place + 1)
        }
        object.close = min(place, plain.count)
        return object
    }

    private var root: Object { object(at: JSON5.skippingSpace(plain, from: 0)) }

    /// The existing objects on the path to a member, outermost first.
    private func objects(on path: some Sequence<String>) -> [Object] {
        var objects = [root]
        for name in path {
            guard let object = objects.last, let index = object.last(name),
                isObject(object.members[index])
            else { break }
            objects.append(self.object(at: object.members[index].value.lowerBound))
        }
        return objects
    }

    private func isObject(_ member: Member) -> Bool {
        plain[member.value.lowerBound] == UInt8(ascii: "{")
    }

    // MARK: - Changing

    package mutating func set(_ path: [String], to value: JSONValue) throws(Failure) {
        let objects = objects(on: path.dropLast())
        guard let object = objects.last else { return }
        // There is one object more than names before the last one.
        let depth = objects.count - 1
        let name = path[depth]
        let nested = path.dropFirst(depth + 1).reversed().reduce(value) { value, name in
            .object(JSONObject([.init(name, value)]))
        }
        guard let index = object.last(name) else {
            return insert("\(JSONWriter.string(.string(name))): \(Self.inline(nested))", object)
        }
        let place = object.members[index].value
        let isParked = plain[place].elementsEqual("null".utf8)
        if depth < path.count - 1, !isParked {
            throw Failure(path: Array(path[...depth]))
        }
        replace([(place, Self.inline(nested))])
    }

    /// - Returns: false if there is no such member.
    package mutating func remove(_ path: [String]) -> Bool {
        var isGone = false
        while removeLast(path) { isGone = true }
        guard isGone, path.count > 1 else { return isGone }
        // Remove an object that has become empty as well, unless it contains a comment.
        let parents = objects(on: path.dropLast())
        if parents.count == path.count, let parent = parents.last, parent.members.isEmpty,
            bytes[(parent.open + 1)..<parent.close].allSatisfy(JSON5.isSpace)
        {
            _ = remove(path.dropLast())
        }
        return true
    }

    private mutating func removeLast(_ path: [String]) -> Bool {
        let objects = objects(on: path.dropLast())
        guard objects.count == path.count, let object = objects.last, let name = path.last,
            let index = object.last(name)
        else { return false }
        let member = object.members[index]
        var cuts: [(Range<Int>, String)] = []
        let comma = JSON5.comma(bytes, behind: member.value.upperBound)
        if comma == nil, index > 0,
            let before = JSON5.comma(bytes, behind: object.members[index - 1].value.upperBound)
        {
            cuts.append((before..<(before + 1), ""))
        }
        let lineStart = startOfLine(member.start)
        let end = comma.map { $0 + 1 } ?? member.value.upperBound
        var rest = end
        while rest < bytes.count, Self.isBlank(bytes[rest]) { rest += 1 }
        let isAtEnd = rest == bytes.count || bytes[rest] == 0x0A || bytes[rest] == 0x0D
        let standsAlone =
            bytes[lineStart..<member.start].allSatisfy(Self.isBlank) && isAtEnd
            && comma.map { bytes[member.value.upperBound..<$0].allSatisfy(JSON5.isSpace) } ?? true
        if standsAlone {
            while rest < bytes.count, bytes[rest] == 0x0D { rest += 1 }
            if rest < bytes.count, bytes[rest] == 0x0A { rest += 1 }
            cuts.append((lineStart..<rest, ""))
        } else {
            var start = member.start
            var stop = member.value.upperBound
            if let comma {
                cuts.append((comma..<rest, ""))
                stop = min(stop, comma)
            } else {
                while start > 0, Self.isBlank(bytes[start - 1]) { start -= 1 }
            }
            cuts.append((start..<stop, ""))
        }
        replace(cuts)
        return true
    }

    private mutating func insert(_ member: String, _ object: Object) {
        let inside = bytes[(object.open + 1)..<object.close]
        let hasLines = inside.contains(0x0A)
        let lineEnd = bytes.contains(0x0D) ? "\r\n" : "\n"
        guard let last = object.members.last else {
            let indent = indent(ofLineAt: object.open) + "    "
            let lineStart = startOfLine(object.close)
            if hasLines, bytes[lineStart..<object.close].allSatisfy(Self.isBlank) {
                return replace([(lineStart..<lineStart, indent + member + lineEnd)])
            }
            if object.open == root.open {
                let text = lineEnd + indent + member + lineEnd
                let isBlank = inside.allSatisfy(JSON5.isSpace)
                return replace([
                    ((isBlank ? object.open + 1 : object.close)..<object.close, text)
                ])
            }
            return replace([(object.close..<object.close, " \(member) ")])
        }
        let comma = JSON5.comma(bytes, behind: last.value.upperBound)
        guard hasLines else {
            let place = comma.map { $0 + 1 } ?? last.value.upperBound
            return replace([(place..<place, (comma == nil ? ", " : " ") + member)])
        }
        let lineStart = startOfLine(last.start)
        let ownIndent = bytes[lineStart..<last.start].allSatisfy(Self.isBlank)
        let indent =
            ownIndent
            ? String(decoding: bytes[lineStart..<last.start], as: UTF8.self)
            : indent(ofLineAt: object.open) + "    "
        let end = endOfLine(behind: comma.map { $0 + 1 } ?? last.value.upperBound)
        var changes: [(Range<Int>, String)] = [
            (end..<end, lineEnd + indent + member + (comma == nil ? "" : ","))
        ]
        if comma == nil {
            let place = last.value.upperBound
            changes.insert((place..<place, ","), at: 0)
        }
        replace(changes)
    }

    /// Applies changes in the order of their positions; they do not overlap.
    private mutating func replace(_ changes: [(place: Range<Int>, text: String)]) {
        // Of two changes at one position the later one is inserted first, so that it comes after.
        let ordered = changes.enumerated().sorted { one, other in
            (one.element.place.lowerBound, one.offset)
                > (other.element.place.lowerBound, other.offset)
        }
        for (_, change) in ordered { bytes.replaceSubrange(change.place, with: change.text.utf8) }
        plain = JSON5.blanked(bytes)
    }

    /// The value on one line, with the usual spaces.
    package static func inline(_ value: JSONValue) -> String {
        switch value {
        case .array(let elements): "[\(elements.map(inline).joined(separator: ", "))]"
        case .object(let object) where object.members.isEmpty: "{}"
        case .object(let object):
            "{ "
                + object.members.map {
                    "\(JSONWriter.string(.string($0.name))): \(inline($0.value))"
                }.joined(separator: ", ") + " }"
        default: JSONWriter.string(value)
        }
    }

    // MARK: - Places

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The offset after the comments that follow on the same line.
    private func endOfLine(behind start: Int) -> Int {
        var place = start
        while true {
            var next = place
            while next < bytes.count, Self.isBlank(bytes[next]) { next += 1 }
            if next < bytes.count, bytes[next] == 0x0A || bytes[next] == 0x0D { return next }
            guard let end = JSON5.endOfComment(bytes, from: next) else { return place }
            place = end
        }
    }

    private func startOfLine(_ start: Int) -> Int {
        var place = start
        while place > 0, bytes[place - 1] != 0x0A { place -= 1 }
        return place
    }

    private func indent(ofLineAt place: Int) -> String {
        let start = startOfLine(place)
        return String(decoding: bytes[start...].prefix(while: Self.isBlank), as: UTF8.self)
    }
}
