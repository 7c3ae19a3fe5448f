import AgentCore
import Base
import Privacy

/// Implements the configuration's `redact = true` for a host: results contain placeholders for
/// personal data, as requests to a provider do, and placeholders in arguments are replaced by the
/// originals.
package actor HostRedaction {
    private let person: @Sendable () async throws -> PersonalData
    private var map = RedactionMap()

    /// - Parameter person: reads the user's data, before each result.
    package init(person: @escaping @Sendable () async throws -> PersonalData) {
        self.person = person
    }

    func restored(_ arguments: JSONObject) -> JSONObject {
        let text = JSONText.mapped(JSONWriter.string(.object(arguments))) {
            PlaceholderStream.restored($0, map)
        }
        // Only strings have changed, so it is still an object.
        return (try? JSONParser.parse(text))?.objectValue ?? arguments
    }

    func redacted(_ text: String) async throws -> String {
        let redactor = Redactor(try await person(), hidesEmployers: true)
        return JSONText.mapped(text) {
            redactor.redact(PlaceOfTime.removed(from: $0), into: &map)
        }
    }
}
