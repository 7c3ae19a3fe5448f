import Synchronization

/// Caches the findings in the texts of the last requests: each text of a conversation is
/// searched once, not once for each request that carries it. It is as private as the texts.
package final class RedactionMemo: Sendable {
    private struct State {
        var person = PersonalData()
        var round = 0
        var found: [String: (findings: [Redactor.Finding], round: Int)] = [:]
        var searches = 0
    }

    private let state = Mutex(State())
    /// Number of requests for which a text that is not in them is kept: titles and summaries come
    /// between the requests of a conversation.
    private static let kept = 8

    package init() {}

    /// Number of texts that were searched.
    package var searches: Int { state.withLock { $0.searches } }

    /// Begins a request. If the personal data has changed, everything is searched again.
    func begin(_ person: PersonalData) {
        state.withLock { state in
            if state.person != person { state.found = [:] }
            state.person = person
            state.round += 1
            let oldest = state.round - Self.kept
            state.found = state.found.filter { $0.value.round >= oldest }
        }
    }

    func findings(
        in text: String, of person: PersonalData, _ search: () -> [Redactor.Finding]
    ) -> [Redactor.Finding] {
        let known = state.withLock { state -> [Redactor.Finding]? in
            guard state.person == person, let known = state.found[text] else { return nil }
            state.found[text]?.round = state.round
            return known.findings
        }
        if let known { return known }
        let findings = search()
        state.withLock { state in
            state.searches += 1
            if state.person == person { state.found[text] = (findings, state.round) }
        }
        return findings
    }
}
