/// Writes a component tree as its original bytes, in order. It generates
/// nothing itself: every line has its own bytes.
package enum CalendarWriter {
    package static func bytes(_ component: Component) -> [UInt8] {
        var output: [UInt8] = []
        write(component, to: &output)
        return output
    }

    private static func write(_ component: Component, to output: inout [UInt8]) {
        if let begin = component.begin { output += begin.raw }
        for item in component.items {
            switch item {
            case .line(let line): output += line.raw
            case .component(let inner): write(inner, to: &output)
            }
        }
        if let end = component.end { output += end.raw }
    }
}
