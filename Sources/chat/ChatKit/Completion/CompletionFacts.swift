import AgentCore
import Base
import Outside
import Persistence
import Synchronization
import Texts

/// The words that are looked up, by kind: models, conversations, roles and so on. Loading
/// contacts no server and needs no key.
package struct CompletionFacts: Sendable {
    var words: [Verb.Kind: [CompletionWord]] = [:]
    /// Titles by id, for places where ids are typed.
    var conversations: [(id: String, title: String, detail: String)] = []

    /// Maximum number of titles offered.
    private static let conversationLimit = 500

    package static func load(_ kinds: [Verb.Kind], _ services: Services) async -> CompletionFacts {
        var facts = CompletionFacts()
        for kind in kinds {
            switch kind {
            case .file, .text, .oneOf, .examples, .settingValue: break
            case .model:
                facts.words[kind] = await services.models.known().map {
                    CompletionWord($0.model.id, $0.provider.facts.displayName)
                }
            case .provider:
                facts.words[kind] = (services.connector.askable + [.offline]).map {
                    CompletionWord($0.rawValue, $0.facts.title)
                }
            case .role, .prompt:
                var words = facts.words[.role] ?? facts.words[.prompt]
                if words == nil {
                    // Both are prompts, read once. Tab offers none if the file is unreadable.
                    words = (try? await services.prompts.all())?.map {
                        CompletionWord($0.name, $0.line)
                    }
                }
                facts.words[kind] = words
            case .tool:
                // Tab offers no external tools if the file is unreadable.
                let others = (try? await services.external?.approvedTools()) ?? []
                facts.words[kind] =
                    (services.registry.servers.flatMap { $0.listTools() } + others.map(\.tool))
                    .map { CompletionWord($0.name, $0.title) }
            case .server:
                // Tab offers none if the file cannot be read.
                let content = try? await services.external?.book.read()
                facts.words[kind] = content?.entries.map { CompletionWord($0.name, $0.line) }
            case .setting:
                facts.words[kind] = services.settings.listing
                    .map { CompletionWord($0.name, $0.value) }
            case .voice, .list, .calendar, .item, .note, .tag, .story, .routine:
                let sources = services.capabilities.lazy.compactMap { $0.completions[kind] }
                facts.words[kind] = await sources.first?()
            case .conversation:
                // Tab offers none if the store cannot be read.
                let store = try? services.store()  // None either if the list cannot be read.
                let records = (try? await store?.list(limit: conversationLimit)) ?? []
                let now = services.environment.now()
                facts.conversations = records.map {
                    ($0.id, $0.title, Quantities.ago($0.updated, now: now))
                }
            }
        }
        return facts
    }
}

extension [Verb.Kind] {
    /// All kinds for slash commands; files are read on demand. Voices are missing: listing
    /// them runs a program, and a Ctrl-Z that stops it at its start would keep us from
    /// stopping, too.
    package static let chat: [Verb.Kind] = [
        .model, .conversation, .role, .prompt, .list, .calendar, .tool, .setting, .item, .note,
        .tag, .story, .routine, .server,
    ]
}
