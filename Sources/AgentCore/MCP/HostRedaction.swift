import AgentCore
import Base
import Privacy

/// What `redact = true` in the configuration means for a host: results go with
/// placeholders for personal data, as requests to a provider do, and placeholders in
/// arguments become again what they stand for.
package actor HostRedaction {
    private let person: @Sendable () async throws -> PersonalData
    private var map = RedactionMap()

    /// - Parameter person: what is known of the user; read before each result.
    package init(person: @escaping @Sendable () async throws -> PersonalData) {
        self.person = person
    }

    func restored(_ arguments: JSONObject) -> JSONObject {
        let text = JSONText.mapped(JSONWriter.string(.object(arguments))) {
            PlaceholderStream.restored($0, map)
        }
        // Only strings have changed, so that it is an object still.
        return (try? JSONParser.parse(text))?.objectValue ?? arguments
    }

    func redacted(_ text: String) async throws -> String {
        let redactor = Redactor(try await person(), hidesEmployers: true)
        return JSONText.mapped(text) {
            redactor.redact(PlaceOfTime.removed(from: $0), into: &map)
        }
    }
}
