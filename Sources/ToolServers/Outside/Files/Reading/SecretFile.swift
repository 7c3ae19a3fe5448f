import Base

/// Detects files that contain keys or passwords, by their name or their first bytes: a
/// private key, a `.env`, files in `~/.ssh` and `~/.aws`. Pure.
///
/// For the user's own attachments it is a guess that costs one question; a tool never reads
/// such a file, however a request is worded.
package enum SecretFile {
    package static func looksSecret(path: String, bytes: [UInt8]) -> Bool {
        let parts = path.split(separator: "/").map { folded(String($0)) }
        let name = parts.last ?? ""
        // A public key may be shown.
        if name.hasSuffix(".pub") { return false }
        if parts.dropLast().contains(where: folders.contains) { return true }
        return isSecret(name, in: parts.dropLast().last) || holdsKey(bytes)
    }

    /// Whether a folder contains keys: `.ssh` is refused before it is read.
    package static func isSecretFolder(_ name: String) -> Bool { folders.contains(folded(name)) }

    /// Whether a file is secret by its name and that of its folder.
    package static func isSecretFile(_ name: String, in folder: String?) -> Bool {
        let name = folded(name)
        return !name.hasSuffix(".pub") && isSecret(name, in: folder.map(folded))
    }

    /// Whether the first bytes are those of a private key, under any name.
    package static func holdsKey(_ bytes: [UInt8]) -> Bool {
        let beginning = String(decoding: bytes.prefix(4_096), as: UTF8.self)
        return ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----", "AGE-SECRET-KEY-1"].contains {
            beginning.contains($0)
        }
    }

    private static func isSecret(_ name: String, in folder: String?) -> Bool {
        let isTemplate = [".example", ".sample", ".template"].contains(where: name.hasSuffix)
        let bare = withoutCopyMark(name)
        if bare.hasPrefix(".env") || bare.hasSuffix(".env") { return !isTemplate }
        if names.contains(bare) || suffixes.contains(where: bare.hasSuffix) { return true }
        // `id_github` is a usual name of a second key; `id_map.py` is a program.
        if keyNames.contains(where: bare.hasPrefix) { return true }
        if bare.hasPrefix("id_"), !bare.contains(".") { return true }
        return folder.map { inFolder[$0]?.contains(bare) == true } ?? false
    }

    /// `id_rsa` for `id_rsa.bak~`: a copy of a key is secret as well.
    private static func withoutCopyMark(_ name: String) -> String {
        var name = name[...]
        while let mark = copyMarks.first(where: { name.hasSuffix($0) && name.count > $0.count }) {
            name = name.dropLast(mark.count)
        }
        return String(name)
    }

    /// The name as a case-folding file system may see it: `.ENV`, `.ｅｎｖ` and a name with
    /// invisible characters open the same file there.
    private static func folded(_ name: String) -> String {
        // Fast path: most names.
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
            // The full width forms of ASCII, U+FF01 to U+FF5E.
            let plain = (0xFF01...0xFF5E).contains(scalar.value) ? scalar.value - 0xFEE0 : nil
            scalars.append(plain.flatMap(Unicode.Scalar.init) ?? scalar)
        }
        // Upper and then lower case, which long s and the Kelvin sign need.
        return SearchText.folded(String(scalars).uppercased().lowercased())
    }

    private static let folders: Set<String> = [
        ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".password-store", "keyrings", ".keys",
        ".mozilla", ".thunderbird",
    ]
    private static let names: Set<String> = [
        ".netrc", "_netrc", ".pgpass", ".my.cnf", ".npmrc", ".pypirc", ".htpasswd", ".vault-token",
        ".dockercfg", ".s3cfg", ".boto", ".git-credentials", ".rclone.conf", "rclone.conf",
        "credentials", "credentials.json", "application_default_credentials.json", "keys.json",
        "shadow", "gshadow", "login.keychain-db", "key4.db", "logins.json", "cookies.sqlite",
        "wallet.dat",
    ]
    /// Names that are secret only in these folders.
    private static let inFolder: [String: Set<String>] = [
        ".docker": ["config.json"], "gh": ["hosts.yml"], ".git": ["config"],
        "gcloud": ["credentials.db", "access_tokens.db"],
    ]
    private static let keyNames = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"]
    private static let suffixes = [
        ".pem", ".key", ".p12", ".pfx", ".p8", ".ppk", ".kdbx", ".kdb", ".jks", ".keystore",
        ".keyring", ".keychain", ".tfvars", ".ovpn",
    ]
    private static let copyMarks = [
        "~", ".bak", ".backup", ".old", ".orig", ".save", ".copy", ".swp", ".1", ".2",
    ]
}
