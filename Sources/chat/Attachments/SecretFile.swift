import AgentCore

/// Files that hold keys or passwords by their name or their first words: a
/// private key, a `.env`, what programs keep in `~/.ssh` and `~/.aws`. A guess
/// that costs one question. Pure.
enum SecretFile {
    static func looksSecret(path: String, bytes: [UInt8]) -> Bool {
        let parts = path.lowercased().split(separator: "/")
        let name = parts.last.map(String.init) ?? ""
        // A public key is made to be shown.
        if name.hasSuffix(".pub") { return false }
        if parts.dropLast().contains(where: { folders.contains(String($0)) }) { return true }
        let isTemplate = [".example", ".sample", ".template"].contains(where: name.hasSuffix)
        if name == ".env" || name.hasPrefix(".env.") && !isTemplate { return true }
        if names.contains(name) || suffixes.contains(where: name.hasSuffix) { return true }
        let beginning = String(decoding: bytes.prefix(4_096), as: UTF8.self)
        return beginning.contains("PRIVATE KEY-----") || beginning.contains("AGE-SECRET-KEY-1")
    }

    private static let folders: Set<String> = [
        ".ssh", ".gnupg", ".aws", ".kube", ".password-store",
    ]
    private static let names: Set<String> = [
        "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", ".netrc", ".pgpass", ".npmrc", ".pypirc",
        "credentials", "keys.json", ".git-credentials", "shadow",
    ]
    private static let suffixes = [".pem", ".key", ".p12", ".pfx", ".kdbx", ".jks"]
}
