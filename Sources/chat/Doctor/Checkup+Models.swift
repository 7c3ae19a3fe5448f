import AgentCore
import Base
import ChatKit

/// Checks the models: keys with their sources, and the local server.
extension Checkup {
    func models(isOnline: Bool) async -> [Finding] {
        var findings: [Finding] = []
        var isAnybody = false
        for name in services.connector.askable {
            let finding = await model(name)
            isAnybody = isAnybody || finding.level == .good
            findings.append(finding)
            if isOnline, finding.level == .good { findings += await asked(name) }
        }
        if !isAnybody {
            findings.append(
                Finding(
                    .models, .warning, "no model is reachable; local features still work",
                    remedy: Diagnostic.connecting))
        }
        return findings
    }

    private func model(_ name: ProviderName) async -> Finding {
        let host = await services.connector.host(of: name)
        switch await services.connector.readiness(of: name) {
        case .ready:
            if let refusal = await refusal(ofLocal: name) { return refusal }
            let source = await services.connector.keySource(of: name)
            let key = source.map { ", key from the \($0.description)" } ?? ""
            return Finding(
                .models, .good, "\(name.rawValue): \(host)\(key)\(await window(at: name))")
        case .missing(.key):
            return Finding(.models, .absent, "\(name.rawValue): no key")
        case .missing(.server):
            return Finding(.models, .absent, "\(name.rawValue): no answer from \(host)")
        case .missing(let what):
            let diagnostic = services.diagnostics.describe(
                SessionError.notUsable(
                    choice: ProviderChoice(provider: name, model: nil, reason: .configuration),
                    missing: what, instead: nil))
            return Finding(.models, .warning, diagnostic.what, remedy: diagnostic.todo)
        }
    }

    /// The reason why a server on this machine does not answer; it may only have to be started. Nil
    /// if it does, and for other servers. Its list is reused for the window.
    private func refusal(ofLocal name: ProviderName) async -> Finding? {
        guard await services.connector.isLocal(name) else { return nil }
        do {
            _ = try await services.connector.firstModel(of: name)
        } catch let error as ProviderError where error.reason == .modelNotFound {
            // It answers, with an empty list.
        } catch {
            let diagnostic = services.diagnostics.describe(error)
            return Finding(.models, .warning, diagnostic.what, remedy: diagnostic.todo)
        }
        return nil
    }

    /// `; llama reads 4,096 tokens`, if a local server reports it.
    private func window(at name: ProviderName) async -> String {
        let connector = services.connector
        guard await connector.isLocal(name) else { return "" }
        var model = services.settings.model
        // A server that lists no model has no window to report.
        if model == nil { model = try? await connector.firstModel(of: name) }
        guard let model else { return "" }
        await connector.askWindow(of: model, at: name)
        guard let window = await connector.window(of: model, at: name) else { return "" }
        return "; \(model) reads \(Quantities.grouped(window)) tokens"
    }

    /// Contacts the provider: the list of models is the cheapest request.
    private func asked(_ name: ProviderName) async -> [Finding] {
        do {
            let models = try await services.connector.models(of: name)
            await services.models.keep([(name, models)])
            let count = Quantities.count(models.count, "model")
            var endings: [ModelEnding] = []
            for model in Set(services.settings.usedModels).sorted() {
                if let ending = await services.connector.ending(of: model, at: name) {
                    endings.append(ending)
                }
            }
            return [Finding(.models, .good, "\(name.rawValue): answers, \(count)")]
                + endings.map { Finding(.models, .warning, $0.sentence) }
        } catch {
            let diagnostic = services.diagnostics.describe(error)
            return [Finding(.models, .broken, diagnostic.what, remedy: diagnostic.todo)]
        }
    }
}
