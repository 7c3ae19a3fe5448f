import Base
import Dispatch
import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP as a request to stop: the first lets the turn be closed and
/// saved, the second ends the process.
package final class StopSignals {
    private var sources: [any DispatchSourceSignal] = []
    private let count = SignalCount()

    package init(_ stop: @escaping @Sendable () -> Void) {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            EndSignals.shield(number)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [count] in
                if count.next() > 1 {
                    _exit(ExitCode.interrupted.rawValue)
                }
                stop()
            }
            source.resume()
            sources.append(source)
        }
    }

    package func end() {
        for source in sources { source.cancel() }
    }
}

private final class SignalCount: Sendable {
    private let count = Atomic(0)

    /// The number of this signal, from 1.
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
