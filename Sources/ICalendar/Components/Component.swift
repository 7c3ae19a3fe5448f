/// A component of an iCalendar file (RFC 5545 §3.6) with all of its lines,
/// known or not, in order; the file itself is the outermost one, without BEGIN
/// and END.
///
/// Changing a property changes the bytes of that line alone. The meaning of the
/// properties is defined in `ICalendar/Times` and the engines.
package struct Component: Sendable, Equatable {
    package indirect enum Item: Sendable, Equatable {
        case line(ContentLine)
        case component(Component)
    }

    /// The name in upper case, `VTODO`; empty for the file.
    package let name: String
    package let begin: ContentLine?
    package var items: [Item]
    /// nil for the file, and if a broken file ends without closing it.
    package internal(set) var end: ContentLine?

    package init(name: String, begin: ContentLine?, items: [Item] = [], end: ContentLine? = nil) {
        self.name = name
        self.begin = begin
        self.items = items
        self.end = end
    }

    /// A new component with lines in the standard's form.
    package init(_ name: String, items: [Item] = [], ending: [UInt8] = ContentLine.crlf) {
        self.init(
            name: name, begin: ContentLine("BEGIN", value: name, ending: ending), items: items,
            end: ContentLine("END", value: name, ending: ending))
    }

    /// The first property of that name, given in upper case.
    package func first(_ name: StaticString) -> ContentLine? {
        for case .line(let line) in items where line.isNamed(name) { return line }
        return nil
    }

    package func all(_ name: StaticString) -> [ContentLine] {
        items.compactMap { item in
            if case .line(let line) = item, line.isNamed(name) { line } else { nil }
        }
    }

    /// The components directly inside, of that name or of any name.
    package func components(_ name: String? = nil) -> [Component] {
        items.compactMap { item in
            guard case .component(let component) = item, name == nil || component.name == name
            else { return nil }
            return component
        }
    }

    /// Whether it and everything inside has an END line of its own.
    package var isTerminated: Bool {
        (end != nil || begin == nil) && components().allSatisfy(\.isTerminated)
    }

    /// The END line that closes nothing, in a component without an END of its
    /// own: it is probably misspelt.
    package var misspeltEnd: ContentLine? {
        if end == nil, begin != nil, let line = first("END") { return line }
        for inner in components() where !inner.isTerminated {
            if let line = inner.misspeltEnd { return line }
        }
        return nil
    }

    /// Sets the property `name`: replaces the first line of that name (unless
    /// it already has this value, so that it keeps its bytes), or adds a line
    /// before the components inside. Further lines of the name are left alone.
    package mutating func set(
        _ name: StaticString, parameters: [(String, String)] = [], value: String
    ) {
        for (index, item) in items.enumerated() {
            guard case .line(let line) = item, line.isNamed(name) else { continue }
            let isSame =
                line.value == value
                && line.parameters.elementsEqual(parameters) {
                    $0.name == $1.0 && $0.values == [$1.1]
                }
            if isSame { return }
            items[index] = .line(
                ContentLine(
                    "\(name)", parameters: parameters, value: value, ending: lineEnding))
            return
        }
        let place = items.firstIndex { if case .component = $0 { true } else { false } }
        items.insert(
            .line(
                ContentLine("\(name)", parameters: parameters, value: value, ending: lineEnding)),
            at: place ?? items.endIndex)
    }

    /// Replaces each line of that name.
    package mutating func editLines<Failure: Error>(
        _ name: StaticString, _ change: (ContentLine) throws(Failure) -> [ContentLine]
    ) throws(Failure) {
        var edited: [Item] = []
        edited.reserveCapacity(items.count)
        for item in items {
            guard case .line(let line) = item, line.isNamed(name) else {
                edited.append(item)
                continue
            }
            edited += try change(line).map(Item.line)
        }
        items = edited
    }

    package mutating func remove(_ name: StaticString) {
        items.removeAll { item in
            if case .line(let line) = item { line.isNamed(name) } else { false }
        }
    }

    /// The line ending of its BEGIN line, so that an LF file stays one.
    package var lineEnding: [UInt8] {
        let ending = begin.map { Array($0.ending) } ?? []
        return ending.isEmpty ? ContentLine.crlf : ending
    }
}
