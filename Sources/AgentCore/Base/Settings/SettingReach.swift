/// Whether a value of a setting lets the program do more than the default does: run another
/// program, read or write in another folder, send to another host, ask less often, or follow other
/// instructions.
///
/// The user may choose any value. A value from elsewhere, such as a backup, is used only after a
/// question. Each row of a `SettingTable` has a reach, so that it cannot be forgotten for a new
/// setting.
package struct SettingReach<Value>: Sendable {
    let isWider: @Sendable (Value) -> Bool

    /// Appearance, limits, wording: no value reaches further than the default.
    package static var plain: Self { Self { _ in false } }
    package static var widens: Self { Self { _ in true } }

    package static func widens(if condition: @escaping @Sendable (Value) -> Bool) -> Self {
        Self(isWider: condition)
    }
}

/// A setting that widens the program's abilities, with the value from a file.
package struct WideningSetting: Sendable, Equatable {
    /// `["tools", "allow"]`.
    package var path: [String]
    /// Untrusted text.
    package var value: JSONValue
    /// False for a name unknown to this version: a later version may know it.
    package var isKnown: Bool

    package init(path: [String], value: JSONValue, isKnown: Bool) {
        self.path = path
        self.value = value
        self.isKnown = isKnown
    }

    package var name: String { path.joined(separator: ".") }
}
