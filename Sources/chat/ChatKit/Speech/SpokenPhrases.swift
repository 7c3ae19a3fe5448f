import Sound

/// Spoken replacements for unreadable parts (code, tables), in the language of the voice.
/// Pure; English for any other language.
package struct SpokenPhrases: Sendable, Equatable {
    enum Language: String, Sendable, CaseIterable { case en, de, fr, es, it }

    var language = Language.en

    init(_ language: Language = .en) { self.language = language }

    /// - Parameters:
    ///   - voice: `de+f3`, `nova`, or nil for the locale's voice.
    ///   - variables: the environment variables with the locale.
    init(voice: String?, variables: [String: String]) {
        let standard = EspeakVoiceName.standard(in: variables).text
        let code = Self.code(voice ?? standard) ?? Self.code(standard) ?? "en"
        language = Language(rawValue: code) ?? .en
    }

    /// The language code of `en-gb+f3`; nil for a name (`nova`).
    private static func code(_ voice: String) -> String? {
        let code = voice.lowercased().prefix { $0 != "-" && $0 != "+" && $0 != "_" }
        return code.count == 2 ? String(code) : nil
    }

    /// - Parameter name: the programming language.
    func code(_ name: String?, lines: Int) -> String {
        let count =
            switch language {
            case .en: Self.count(lines, "line", "lines")
            case .de: Self.count(lines, "Zeile", "Zeilen")
            case .fr: Self.count(lines, "ligne", "lignes")
            case .es: Self.count(lines, "línea", "líneas")
            case .it: Self.count(lines, "riga", "righe")
            }
        let (what, of) =
            switch language {
            case .en: ("A code block", "in")
            case .de: ("Ein Codeblock", "in")
            case .fr: ("Un bloc de code", "en")
            case .es: ("Un bloque de código", "en")
            case .it: ("Un blocco di codice", "in")
            }
        return what + (name.map { " \(of) \($0)" } ?? "") + ", \(count)."
    }

    func table(columns: Int, rows: Int) -> String {
        switch language {
        case .en:
            "A table of \(Self.count(columns, "column", "columns")) and "
                + "\(Self.count(rows, "row", "rows"))."
        case .de:
            "Eine Tabelle mit \(Self.count(columns, "Spalte", "Spalten")) und "
                + "\(Self.count(rows, "Zeile", "Zeilen"))."
        case .fr:
            "Un tableau de \(Self.count(columns, "colonne", "colonnes")) et "
                + "\(Self.count(rows, "ligne", "lignes"))."
        case .es:
            "Una tabla de \(Self.count(columns, "columna", "columnas")) y "
                + "\(Self.count(rows, "fila", "filas"))."
        case .it:
            "Una tabella di \(Self.count(columns, "colonna", "colonne")) e "
                + "\(Self.count(rows, "riga", "righe"))."
        }
    }

    /// Read before an item of a checklist.
    func task(isDone: Bool) -> String {
        switch language {
        case .en: isDone ? "Done: " : "To do: "
        case .de: isDone ? "Erledigt: " : "Zu tun: "
        case .fr: isDone ? "Fait : " : "À faire : "
        case .es: isDone ? "Hecho: " : "Por hacer: "
        case .it: isDone ? "Fatto: " : "Da fare: "
        }
    }

    var footnote: String {
        switch language {
        case .en: "Footnote: "
        case .de: "Fußnote: "
        case .fr: "Note : "
        case .es, .it: "Nota: "
        }
    }

    private static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}
