import Glibc
import Persistence
import TerminalKit
import Texts

/// What is remembered about the user, assembled for this program: the command, with
/// the titles of the conversations that notes come from.
package enum MemoryParts {
    package static func command(_ services: Services) -> MemoryCommand {
        MemoryCommand(
            services.memory,
            MemoryCommand.Dependencies(
                environment: services.environment, isOn: { services.settings.memory },
                width: { WindowWidth.columns(of: 1) },
                title: { id in
                    // Only for showing: without it the note stands alone.
                    let record = try? await services.store().conversation(id)
                    return record.flatMap { $0.deleted == nil ? $0.title : nil }
                }))
    }
}
