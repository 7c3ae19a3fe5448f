import AgentCore
import Glibc

/// The roles there are: files in the configuration folder, then those of the
/// configuration, then the built-in ones. Files are read when they are asked
/// for, so that an edit counts at once.
struct RoleBook: Sendable {
    /// `…/roles`; need not exist.
    var folder: String
    var configured: [String: Configuration.Role]

    private static let limitInBytes = 256 << 10

    func role(_ name: String) -> NamedRole? {
        guard NamedRole.isName(name) else { return nil }
        if let bytes = SmallFile.read("\(folder)/\(name).md", limit: Self.limitInBytes),
            let role = NamedRole(name: name, file: String(decoding: bytes, as: UTF8.self))
        {
            return role
        }
        if let role = configured[name] {
            return NamedRole(
                name: name, text: role.system, model: role.model, effort: role.effort,
                temperature: role.temperature, source: .configuration)
        }
        return NamedRole.builtIn.first { $0.name == name }
    }

    /// In the order of their names.
    var all: [NamedRole] {
        let names = Set(fileNames + configured.keys + NamedRole.builtIn.map(\.name))
        return names.sorted().compactMap(role)
    }

    private var fileNames: [String] {
        (FilePath.names(in: folder) ?? []).filter { $0.hasSuffix(".md") }
            .map { String($0.dropLast(3)) }
    }

    /// - Throws: `UsageError` naming the nearest one.
    func required(_ name: String) throws(UsageError) -> NamedRole {
        if let role = role(name) { return role }
        let names = all.map(\.name)
        throw UsageError(
            "There is no role \"\(KeyShape.shown(name))\".",
            hint: NearestWord.find(name, among: names).map { "Did you mean \($0)?" }
                ?? "There are \(names.joined(separator: ", ")); your own go to \(folder).")
    }
}

extension Services {
    var roles: RoleBook {
        RoleBook(
            folder: paths.configurationFolder + "/roles", configured: settings.roles.value)
    }
}
