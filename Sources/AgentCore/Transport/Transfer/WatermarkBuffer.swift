/// Bytes that have arrived and are not yet read, with a bound.
///
/// It accepts while it holds less than the high watermark, so it may exceed
/// that by one chunk; a producer that was refused may go on once the content
/// is below the low watermark. It knows nothing of who produces or reads.
struct WatermarkBuffer: Sendable, Equatable {
    let low: Int
    let high: Int
    private(set) var bytes: [UInt8] = []
    /// A chunk was refused and the producer has not been told to go on.
    private(set) var isProducerPaused = false

    init(low: Int = 256 << 10, high: Int = 1 << 20) {
        self.low = low
        self.high = high
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// - Returns: false when the chunk was not taken: the producer has to
    ///   keep it and stop until `take` says that it may go on.
    mutating func append(_ chunk: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count < high else {
            isProducerPaused = true
            return false
        }
        bytes.append(contentsOf: chunk)
        return true
    }

    /// Everything that is there, without a copy.
    mutating func take() -> (bytes: [UInt8], mayGoOn: Bool) {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return (taken, releaseProducer())
    }

    mutating func clear() {
        bytes = []
        isProducerPaused = false
    }

    private mutating func releaseProducer() -> Bool {
        guard isProducerPaused, bytes.count <= low else { return false }
        isProducerPaused = false
        return true
    }
}
