import Base

/// Runs the program espeak-ng and decides which exits are failures. Text goes to its stdin
/// and nowhere else.
package struct EspeakProgram: Sendable {
    static let name = "espeak-ng"
    /// Silence after which it hangs: it makes an hour of sound in seconds. On a busy machine it may
    /// get no CPU for some seconds.
    static let patience = Duration.seconds(10)

    let path: String
    let variables: [String: String]
    let environment: Environment

    /// - Throws: `needsProgram`.
    init(environment: Environment) throws(SpeechError) {
        do {
            path = try Subprocess.find(Self.name, in: environment.variables)
        } catch {
            throw SpeechError(reason: .needsProgram([Self.name]))
        }
        variables = Subprocess.baseEnvironment(from: environment.variables)
        self.environment = environment
    }

    static func isInstalled(_ variables: [String: String]) -> Bool {
        (try? Subprocess.find(Self.name, in: variables)) != nil  // the reason is not needed
    }

    /// Arguments for writing a WAV of UTF-8 input; `-z`: pauses between sentences are added
    /// by us.
    ///
    /// - Parameter readsOn: speak line by line, until the input ends.
    func arguments(
        _ voice: EspeakVoiceName, _ choice: VoiceChoice? = nil, readsOn: Bool = false
    ) -> [String] {
        var words = ["-b", "1", "-z"] + (readsOn ? [] : ["--stdin"])
        words += ["--stdout", "-v", voice.argument]
        if let choice {
            words += ["-s", "\(Self.speed(choice.rate))", "-p", "\(Self.pitch(choice.pitch))"]
            words += ["-a", "\(Self.amplitude(choice.volume))"]
        }
        return words
    }

    static func speed(_ rate: Double) -> Int { 80 + Int((bounded(rate, 0, 1) * 290).rounded()) }
    package static func pitch(_ pitch: Double) -> Int {
        Int(bounded((50 * pitch).rounded(), 0, 99))
    }
    static func amplitude(_ volume: Double) -> Int { Int((200 * bounded(volume, 0, 1)).rounded()) }

    private static func bounded(_ value: Double, _ low: Double, _ high: Double) -> Double {
        value.isNaN ? low : min(high, max(low, value))
    }

    /// Performs one short run and returns its whole output.
    /// - Throws: `SpeechError`, `CancellationError`.
    func run(_ arguments: [String], input: [UInt8] = []) async throws -> [UInt8] {
        let process = Subprocess(
            program: path, arguments: arguments, environment: variables, input: .bytes(input),
            limits: .init(grace: .milliseconds(100), outputBytes: 4 << 20, errorBytes: 4 << 10))
        let result = try await patiently { () async throws -> Subprocess.Result in
            do {
                return try await process.run()
            } catch let error as SubprocessError {
                throw failure(error)
            }
        }
        try check(result.status, result.errorOutput)
        return result.output
    }

    /// The result of the body; an error if the program seems to hang.
    func patiently<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask { [environment] in
                try await environment.sleep(Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else {
                throw SpeechError(reason: .programHangs(Self.name))
            }
            return value
        }
    }

    func check(_ status: Subprocess.Result.Status, _ complaint: [UInt8]) throws(SpeechError) {
        let number: Int32 =
            switch status {
            case .exited(let number): number
            case .signalled(let number): 128 + number
            }
        // It reports a missing voice or missing data, and may continue with another one.
        guard number != 0 || !complaint.isEmpty else { return }
        throw SpeechError(
            reason: .programFailed(
                Self.name, status: number,
                message: String(decoding: complaint.prefix(500), as: UTF8.self)))
    }

    func failure(_ error: SubprocessError) -> SpeechError {
        switch error.reason {
        case .notFound, .notExecutable: SpeechError(reason: .needsProgram([Self.name]))
        case .timedOut: SpeechError(reason: .programHangs(Self.name))
        case .couldNotStart(let code):
            SpeechError(reason: .programFailed(Self.name, status: code, message: ""))
        }
    }
}
