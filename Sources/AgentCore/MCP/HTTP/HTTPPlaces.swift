/// A limited number of open connections. A new one replaces one that is waiting, preferably one
/// without a token so far: another user of this machine must not be able to keep the hosts out.
actor HTTPPlaces {
    private struct Slot {
        var connection: HTTPConnection
        var isTrusted = false
        var isBusy = false
        /// Whether it was shut down to make room for a new one.
        var isLeaving = false
        var lastUse: Int
    }

    private let limit: Int
    private var places: [Int: Slot] = [:]
    private var lastNumber = 0
    private(set) var waiting: CheckedContinuation<Void, Never>?

    init(limit: Int) { self.limit = limit }

    /// One call at a time. Nil if all connections are being answered.
    func take(_ connection: HTTPConnection) async -> Int? {
        while places.count >= limit {
            // A host that has closed its connection frees its place by itself.
            if !places.values.contains(where: {
                $0.isLeaving || !$0.isBusy && $0.connection.isGone
            }) {
                let idle = places.filter { !$0.value.isBusy }
                let order = idle.sorted {
                    ($0.value.isTrusted ? 1 : 0, $0.value.lastUse)
                        < ($1.value.isTrusted ? 1 : 0, $1.value.lastUse)
                }
                guard let first = order.first else { return nil }
                places[first.key]?.isLeaving = true
                first.value.connection.shutDown()
            }
            await withCheckedContinuation { waiting = $0 }
        }
        let number = next()
        places[number] = Slot(connection: connection, lastUse: number)
        return number
    }

    /// Marks that a request with the token is about to be answered.
    /// - Returns: false if the connection was given up just before.
    func begin(_ number: Int) -> Bool {
        guard let place = places[number], !place.isLeaving else { return false }
        places[number]?.isBusy = true
        places[number]?.isTrusted = true
        return true
    }

    /// Marks that the request is answered.
    func rest(_ number: Int) {
        places[number]?.isBusy = false
        places[number]?.lastUse = next()
    }

    /// Call it before the connection is closed.
    func leave(_ number: Int) {
        places[number] = nil
        waiting?.resume()
        waiting = nil
    }

    func shutDownAll() {
        for place in places.values { place.connection.shutDown() }
    }

    private func next() -> Int {
        lastNumber += 1
        return lastNumber
    }
}
