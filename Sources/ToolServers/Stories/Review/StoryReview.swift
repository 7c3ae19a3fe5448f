import Base
import Sound
import StoryKit

/// Goes through the quotations of a story whose speaker is not sure: which one is shown,
/// what each key does, and what can be undone. Pure: `StoryDecisions` saves the decisions.
///
///     asking      a candidate or none      deciding    kept: the next one
///                 o                        naming      a name: deciding; none: asking
///                 s                        asking the next one
///                 u                        takingBack  asking that one again
///                 q                        over
///
/// Quotations that a decision makes sure are skipped.
package struct StoryReview: Sendable {
    package enum Key: Sendable, Equatable {
        /// Counted from 1.
        case candidate(Int)
        case nobody, other, skip, takeBack, quit
    }

    package enum Phase: Sendable, Equatable {
        /// The index of a span.
        case asking(Int)
        case naming(Int)
        case deciding(Int)
        case takingBack, over
    }

    package enum Action: Sendable, Equatable {
        /// `speaker` is an index into the cast; nil for no one in it.
        case keep(span: Int, speaker: Int?)
        /// The ID of a library step.
        case takeBack(String)
        /// Asks for a name of the cast.
        case askName
    }

    /// The result of the last event.
    package enum Note: Sendable, Equatable {
        case decided(span: Int, name: String?, changed: Int)
        case takenBack
        case nothingToTakeBack
        /// Contains untrusted text.
        case problem(String)
    }

    package private(set) var phase = Phase.over
    package private(set) var note: Note?
    private(set) var segments: StorySegments
    private let includesLikely: Bool
    private var skipped: Set<Int> = []
    private var decisions: [(span: Int, step: String?, replaced: [Int: Attribution])] = []

    init(_ segments: StorySegments, includesLikely: Bool) {
        self.segments = segments
        self.includesLikely = includesLikely
        askNext()
    }

    package var decided: Int { decisions.count }
    package var skips: Int { skipped.count }

    /// Open quotations in order, guesses first.
    private var open: [Int] {
        let tiers: [Attribution.Tier] = includesLikely ? [.guess, .likely] : [.guess]
        return tiers.flatMap { tier in
            segments.attributions.values.filter { $0.tier == tier && !skipped.contains($0.span) }
                .map(\.span).sorted()
        }
    }

    /// Includes the current one.
    package var left: Int { open.count }

    private mutating func askNext() { phase = open.first.map(Phase.asking) ?? .over }

    // MARK: - Events

    package mutating func take(_ key: Key) -> Action? {
        guard case .asking(let span) = phase else { return nil }
        note = nil
        switch key {
        case .candidate(let number):
            let candidates = candidates(of: span)
            guard candidates.indices.contains(number - 1) else { return nil }
            return decide(span, candidates[number - 1].speaker)
        case .nobody: return decide(span, nil)
        case .other:
            phase = .naming(span)
            return .askName
        case .skip:
            skipped.insert(span)
            askNext()
        case .takeBack:
            guard let step = decisions.last?.step else {
                note = .nothingToTakeBack
                return nil
            }
            phase = .takingBack
            return .takeBack(step)
        case .quit: phase = .over
        }
        return nil
    }

    /// - Parameter words: a name of the cast, as typed; nil for none.
    package mutating func name(_ words: String?) -> Action? {
        guard case .naming(let span) = phase else { return nil }
        phase = .asking(span)
        guard let words = words?.trimmingSpace(), !words.isEmpty else { return nil }
        do throws(StoryCastError) {
            return decide(span, try StoryCast(segments.cast).find(words))
        } catch {
            var sentence = error.diagnostic.what
            if case .nobody(_, .some) = error.reason, let nearest = error.diagnostic.todo {
                sentence += " " + nearest
            }
            note = .problem(sentence)
            return nil
        }
    }

    private mutating func decide(_ span: Int, _ speaker: Int?) -> Action {
        phase = .deciding(span)
        return .keep(span: span, speaker: speaker)
    }

    mutating func take(_ kept: StoryDecisions.Kept) {
        guard case .deciding(let span) = phase else { return }
        segments = kept.segments
        decisions.append((span, kept.step, kept.replaced))
        note = .decided(
            span: span, name: segments.speaker(span), changed: kept.changed.count)
        askNext()
    }

    /// The latest decision was undone: ask about it again.
    mutating func takenBack() {
        guard phase == .takingBack, let last = decisions.popLast() else { return }
        segments = segments.replacing(last.replaced)
        note = .takenBack
        phase = .asking(last.span)
    }

    /// Saving or undoing failed.
    package mutating func failed(_ words: String) {
        switch phase {
        case .deciding(let span), .asking(let span), .naming(let span): phase = .asking(span)
        case .takingBack, .over: askNext()
        }
        note = .problem(words)
    }

    // MARK: - The question

    package struct Candidate: Sendable, Equatable {
        /// An index into the cast.
        var speaker: Int
        /// The following strings are untrusted text.
        package var name: String
        /// Probability in percent; nil if it was not computed.
        package var share: Int?
        package var evidence: String
    }

    /// The question shown: untrusted text, each string on one line.
    package struct Question: Sendable, Equatable {
        /// The segment's number, as `segments` shows it.
        package var number: Int
        package var before: String
        package var text: String
        package var after: String
        package var candidates: [Candidate]
    }

    package var question: Question? {
        switch phase {
        case .asking(let span), .naming(let span), .deciding(let span): question(span)
        case .takingBack, .over: nil
        }
    }

    /// Maximum number of bytes read for a sentence.
    private static let around = 600

    private func question(_ span: Int) -> Question {
        let text = segments.text
        let range = text.spans[span].range
        func read(_ range: Range<Int>) -> String { text.text(of: text.bytes.whole(range)) }
        let before = read(max(0, range.lowerBound - Self.around)..<range.lowerBound)
        let after = read(range.upperBound..<range.upperBound + Self.around)
        return Question(
            number: span + 1,
            before: SentenceSplitter.sentences(of: before).last?.text ?? "",
            text: text.text(of: range).oneLine,
            after: SentenceSplitter.sentences(of: after).first?.text ?? "",
            candidates: candidates(of: span))
    }

    /// The candidates supported by the text; without any, the characters who speak nearby.
    private func candidates(of span: Int) -> [Candidate] {
        let weighed = segments.attributions[span]?.candidates ?? []
        if !weighed.isEmpty {
            // Unlikely candidates are left out, but at least two are shown.
            let shown = weighed.enumerated().filter { $0 < 2 || $1.probability >= 0.005 }
            return shown.map(\.element).map {
                candidate($0.speaker, share: Int(($0.probability * 100).rounded()), $0.evidence)
            }
        }
        var near: [Int] = []
        let others = segments.attributions.values.sorted {
            (abs($0.span - span), $0.span) < (abs($1.span - span), $1.span)
        }
        for other in others where near.count < 5 {
            if let speaker = other.speaker, !near.contains(speaker) { near.append(speaker) }
        }
        return near.map { candidate($0, share: nil, "speaks nearby") }
    }

    private func candidate(_ speaker: Int, share: Int?, _ evidence: String) -> Candidate {
        Candidate(
            speaker: speaker, name: segments.cast.characters[speaker].name.oneLine,
            share: share, evidence: evidence.oneLine)
    }
}
