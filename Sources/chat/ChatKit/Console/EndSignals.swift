import Dispatch
import Glibc

/// Lets a program without a terminal end in an orderly way: the first SIGTERM, SIGINT or SIGHUP
/// calls a closure.
package enum EndSignals {
    package static func call(
        _ numbers: [Int32] = [SIGTERM, SIGINT, SIGHUP], _ body: @escaping @Sendable () -> Void
    ) {
        for number in numbers {
            // `nohup` ignores this signal.
            if shield(number) == 1, number == SIGHUP { continue }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            // The handler keeps its source alive until the program ends.
            source.setEventHandler {
                withExtendedLifetime(source) { body() }
            }
            source.resume()
        }
    }

    /// Keeps the default action from ending the process before a source sees the signal. Another
    /// handler stays: all sources of a signal share one, which is set again only after the last
    /// of them has been released, some time after it was cancelled.
    /// - Returns: the handler before: 0 for the default, 1 if the signal was ignored.
    @discardableResult
    static func shield(_ number: Int32) -> Int {
        var current = sigaction()
        sigaction(number, nil, &current)
        // The handler is the first field of the structure.
        let handler = withUnsafeBytes(of: &current) { $0.loadUnaligned(as: Int.self) }
        if handler == 0 { signal(number, SIG_IGN) }
        return handler
    }
}
