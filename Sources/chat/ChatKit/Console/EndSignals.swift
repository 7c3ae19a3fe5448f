import Dispatch
import Glibc

/// Lets a program without a terminal end in an orderly way: the first SIGTERM, SIGINT or SIGHUP
/// calls a closure.
package enum EndSignals {
    package static func call(
        _ numbers: [Int32] = [SIGTERM, SIGINT, SIGHUP], _ body: @escaping @Sendable () -> Void
    ) {
        for number in numbers {
            var current = sigaction()
            sigaction(number, nil, &current)
            // `nohup` ignores this signal: the handler, the first field of the structure,
            // is SIG_IGN.
            let handler = withUnsafeBytes(of: &current) { $0.loadUnaligned(as: Int.self) }
            if number == SIGHUP, handler == 1 { continue }
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            // The handler keeps its source alive until the program ends.
            source.setEventHandler {
                withExtendedLifetime(source) { body() }
            }
            source.resume()
        }
    }
}
