import AgentCore
import Base
import Documents
import Privacy

/// A letter in progress: the answer so far, its faults, and the finished draft. Pure;
/// `LetterWriter` does the requests and saving.
struct LetterJob: Sendable {
    let inputs: LetterInputs
    let settings: LetterSettings
    let form: LetterForm
    /// The language, if it has no form: `fi`.
    let formless: String?
    let layout: LetterLayout
    private let profile: LetterProfile
    private let today: CivilDate
    var map = RedactionMap()
    /// The first request.
    var preview: LetterPreview?

    private(set) var answer = LetterAnswer("")
    /// The unchanged answer.
    private(set) var raw = ""
    private(set) var model: ModelOrigin?
    var requests: [String] = []
    var usage = Usage()
    var faults: [LetterDraft.Fault] = []
    /// The reason why the answer is incomplete.
    private(set) var failure: String?
    private(set) var exit: ExitCode?
    var isStopped = false

    private(set) var body = ""
    private(set) var claims: [ClaimCheck.Finding] = []
    /// Placeholders without a value.
    private(set) var leftOver: [String] = []

    init(
        _ inputs: LetterInputs, _ settings: LetterSettings, profile: LetterProfile,
        today: CivilDate
    ) {
        self.inputs = inputs
        self.settings = settings
        self.profile = profile
        self.today = today
        let advert = inputs.job.advert
        let language = settings.language ?? advert.language ?? inputs.resume.language ?? "en"
        // The letter has the form of the country that it goes to.
        let country = advert.country ?? inputs.resume.country
        let known = LetterForm.of(language, country: country)
        formless = known == nil ? language : nil
        form =
            known ?? country.flatMap { LetterForm.of("en", country: $0) }
            ?? LetterForm(tag: "en-GB")
        layout = LetterLayout(
            form: form, sender: profile.sender.completed(by: inputs.resume.sender),
            recipient: advert.recipient, company: advert.company, address: advert.address,
            role: advert.role, reference: advert.reference, date: today, tone: settings.tone)
    }

    var knowsName: Bool {
        !profile.person.values(of: .name).isEmpty
            || !inputs.resume.person.values(of: .name).isEmpty
    }

    // MARK: - Input

    mutating func take(_ made: GeneratedText) {
        (raw, model) = (made.text, made.model)
        requests += made.sent
        usage = usage + made.usage
        answer = LetterAnswer(made.text)
    }

    /// Takes the second answer if it is better.
    mutating func retake(_ made: GeneratedText) {
        requests += made.sent
        usage = usage + made.usage
        let second = LetterAnswer(made.text)
        guard !second.isEmpty, distance(second) <= distance(answer) else { return }
        (raw, model, answer) = (made.text, made.model, second)
    }

    /// Number of words by which it is too short or too long.
    private func distance(_ answer: LetterAnswer) -> Int {
        let range = settings.length.words
        return max(range.lowerBound - answer.words, answer.words - range.upperBound, 0)
    }

    /// Takes an incomplete answer.
    /// - Throws: the error, if nothing received is worth keeping.
    mutating func take(_ error: GenerationError, leastWords: Int) throws {
        requests += error.sent
        usage = usage + error.usage
        raw = error.text
        switch error.reason {
        case .refused:
            failure = "The model declined to write it" + Diagnostic.said(error.text) + "."
            exit = .degraded
        case .empty:
            failure = "The model's answer was empty."
            exit = .degraded
        case .truncated, .provider:
            let part = LetterAnswer(error.text)
            guard part.words >= leastWords else { throw error }
            answer = part
            model = asked
            faults.append(.cut)
            let diagnostic = Diagnostic(of: error)
            failure = diagnostic.what
            exit = error.reason == .truncated ? .degraded : diagnostic.exit
        case .noModel, .overBudget, .wrongShape: throw error
        }
    }

    /// - Throws: `CancellationError` if nothing received is worth keeping.
    mutating func stopped(with text: String, leastWords: Int) throws {
        let part = LetterAnswer(text)
        guard part.words >= leastWords else { throw CancellationError() }
        (raw, answer, model) = (text, part, asked)
        // There was an answer, so the request was sent.
        requests += preview.map { [String(decoding: $0.body, as: UTF8.self)] } ?? []
        faults.append(.cut)
        isStopped = true
    }

    /// The model that was asked, for an answer that broke off before naming its author.
    private var asked: ModelOrigin? {
        preview?.destination.map {
            ModelOrigin(provider: $0.provider, format: .none, model: $0.model)
        }
    }

    // MARK: - Result

    /// Restores placeholders, checks claims and marks sentences.
    mutating func finish(isTemplate: Bool) {
        if isTemplate {
            body =
                LetterTemplate(
                    resume: inputs.resume.body, job: inputs.job.advert.text,
                    role: inputs.job.advert.role, company: inputs.job.advert.company,
                    settings: settings, language: form.tag
                ).body
            return
        }
        let restored = LetterPlaceholders(map: map, facts: facts).restored(answer.text)
        (body, leftOver) = (restored.text, restored.leftOver)
        if !leftOver.isEmpty { faults.append(.placeholders) }
        claims = LetterClaims(
            inputs: inputs, profile: profile, settings: settings, today: today
        ).findings(in: body)
    }

    /// Values for brackets that the model invented.
    private var facts: LetterPlaceholders.Facts {
        LetterPlaceholders.Facts(
            sender: layout.sender, company: layout.company, role: layout.role,
            recipient: layout.recipient?.name, date: form.written(today))
    }

    func draft(isTemplate: Bool) -> LetterDraft {
        LetterDraft(
            title: inputs.title, body: layout.letter(around: body), resume: inputs.resume.source,
            job: inputs.job.source, settings: settings, language: form.tag,
            model: isTemplate ? nil : model,
            host: requests.isEmpty ? nil : preview?.destination?.host,
            requests: requests, answer: raw, usage: usage, flagged: claims.map(\.sentence),
            faults: faults)
    }
}
