import Glibc
import Persistence
import TerminalKit
import Texts

/// Assembles the memory command for this program, with the titles of the conversations that
/// notes come from.
package enum MemoryAssembly {
    package static func command(_ services: Services) -> MemoryCommand {
        MemoryCommand(
            services.memory,
            MemoryCommand.Dependencies(
                environment: services.environment, isOn: { services.settings.memory },
                width: { WindowWidth.columns(of: 1) },
                title: { id in
                    // Used only for display: if it fails, the note is shown without the title.
                    let record = try? await services.store().conversation(id)
                    return record.flatMap { $0.deleted == nil ? $0.title : nil }
                }))
    }
}
