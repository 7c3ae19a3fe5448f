import Base
import Sound

/// The sound of a story: one speaker at a time reads on from a sentence and reports its
/// position.
extension StoryPlayer {
    /// Stops the sound and returns when it is silent.
    func silence() async {
        guard let run else { return }
        let speaker = speaker
        await speaker?.stop()
        // A task that has not started yet must not start.
        run.cancel()
        await run.value
        if self.run == run { (self.run, self.speaker) = (nil, nil) }
    }

    func begin() {
        guard let engine, let sink, let reading else { return }
        let (mine, first) = (turn, line)
        let speaker = Speaker(
            engine: engine, sink: sink, whenTaken: .pauses, aheadSeconds: Self.aheadSeconds
        ) { [weak self] index in
            await self?.voice(of: first + index) ?? VoiceChoice()
        }
        self.speaker = speaker
        (isUnderWay, failed, lastWord) = (false, 0, nil)
        let utterances = reading.lines[first..<max(first, endLine)].map {
            Utterance(text: $0.text, pause: $0.pause)
        }
        run = Task { [weak self] in
            let result = await withTaskGroup(
                of: Void.self, returning: Result<Speaker.Report, any Error>.self
            ) { group in
                group.addTask {
                    for await state in speaker.states {
                        await self?.heard(state, by: speaker, from: first, mine)
                    }
                }
                let result: Result<Speaker.Report, any Error>
                do {
                    result = .success(try await speaker.speak(utterances))
                } catch {
                    result = .failure(error)
                }
                group.cancelAll()
                return result
            }
            await self?.ended(result, from: first, mine)
        }
    }

    private func voice(of line: Int) -> VoiceChoice {
        reading?.voice(of: line, rate: rate) ?? VoiceChoice()
    }

    private func heard(
        _ state: PlaybackState, by speaker: Speaker, from first: Int, _ mine: Int
    ) async {
        guard mine == turn, let reading, state.phase != .ended else { return }
        isUnderWay = true
        let new = min(first + state.index, reading.lines.count - 1)
        let isOther = new != line
        if isOther {
            // A very short line may end before its state is seen, so count both.
            spoken += max(0, new - line)
            if new == line + 1 {
                pace.heard += seconds
                pace.likely += reading.likelySpeech(of: line) / rate
            }
            (line, shownSeconds) = (new, 0)
        }
        seconds = state.seconds
        if let use = state.takenBy {
            yield(to: use)
        } else if phase == .paused(.alert), state.phase != .paused {
            // Playback resumes by itself.
            phase = .waiting
        }
        if case .paused = phase {
        } else if state.phase != .paused {
            phase = state.phase == .playing ? .playing : .waiting
            if wasSuspended() { return await pause(.suspended) }
        }
        if isOther || seconds - shownSeconds >= Self.tick || phase != self.state?.phase {
            shownSeconds = seconds
            publish()
        }
        guard isOther else { return }
        await keepPlace()
        let all = await speaker.problems
        guard mine == turn, all.count > failed else { return }
        note(all[failed...], from: first)
        failed = all.count
        publish()
    }

    /// Pauses because the sound device is needed for something else.
    private func yield(to use: SoundUse) {
        let why: State.Why =
            switch use {
            case .alert: .alert
            case .recording: .recording
            case .story, .reading, .preview, .answer: .speech
            }
        switch phase {
        case .waiting, .playing, .paused(.alert): phase = .paused(why)
        default: break
        }
        lastWord = nil
    }

    /// Whether the machine or the program was suspended. Sound is written fifty times a
    /// second, so a gap of seconds means that. This clock runs on during suspension and is
    /// never set.
    private func wasSuspended() -> Bool {
        let before = lastWord
        guard phase == .playing else {
            lastWord = nil
            return false
        }
        let now = dependencies.environment.sinceBoot()
        lastWord = now
        return before.map { now - $0 > Self.suspension } ?? false
    }

    func ended(
        _ result: Result<Speaker.Report, any Error>, from first: Int, _ mine: Int
    ) async {
        guard mine == turn else { return }
        (run, speaker) = (nil, nil)
        switch result {
        case .success(let speech):
            if speech.wasStopped { return }
            if speech.problems.count > failed {
                note(speech.problems[failed...], from: first)
            }
            let end = endLine
            report.chapter = chapterAlone.flatMap { _ in state?.chapter }
            spoken += max(0, end - line)
            line = end
            seconds = 0
            await keepPlace()
            guard mine == turn else { return }
            finish()
        case .failure(let error as SpeechError):
            failure = error
            let isOfEngine = error.isOf(engine: engine?.name ?? "")
            phase = .paused(isOfEngine ? .engineFailed : .deviceGone)
            seconds = 0
            let diagnostic = error.diagnostic
            problems.append(
                [diagnostic.what, diagnostic.todo].compactMap { $0 }.joined(separator: " "))
            publish()
        case .failure(is CancellationError): break
        case .failure(let error):
            phase = .paused(.engineFailed)
            problems.append("\(error)")
            publish()
        }
    }

    private func note(_ failures: ArraySlice<Speaker.Problem>, from first: Int) {
        for failure in failures {
            let voice = voice(of: first + failure.index).identifier
            problems.append(
                "A sentence could not be read\(voice.map { " by \($0)" } ?? ""): "
                    + failure.error.diagnostic.what)
        }
    }
}

extension SpeechError {
    /// Whether the engine failed, not the player.
    fileprivate func isOf(engine: String) -> Bool {
        switch reason {
        case .soundTaken: false
        case .programFailed(let program, _, _), .programHangs(let program): program == engine
        case .needsProgram(let programs): programs.contains(engine)
        default: true
        }
    }
}
