/// The quotation style of a text.
package enum QuoteStyle: String, Sendable, CaseIterable {
    /// “…”, "…".
    case doubleCurly = "double-curly"
    case doubleStraight = "double-straight"
    /// ‘…’, '…', as in British books.
    case singleCurly = "single-curly"
    case singleStraight = "single-straight"
    /// «…», »…«.
    case guillemets
    case reversedGuillemets = "reversed-guillemets"
    /// „…“ or „…”.
    case lowHigh = "low-high"
    /// Paragraphs that begin with a dash.
    case dash
    /// `NAME: …` or `NAME. …`.
    case script
    /// No marks.
    case none

    /// The families of opening and closing marks, whatever their shape.
    enum Family { case double, single, guillemets, reversed, low, dash, script, none }

    var family: Family {
        switch self {
        case .doubleCurly, .doubleStraight: .double
        case .singleCurly, .singleStraight: .single
        case .guillemets: .guillemets
        case .reversedGuillemets: .reversed
        case .lowHigh: .low
        case .dash: .dash
        case .script: .script
        case .none: .none
        }
    }

    /// An example, shown with the name of the style.
    package var sample: String {
        switch self {
        case .doubleCurly: "“ ”"
        case .doubleStraight: "\" \""
        case .singleCurly: "‘ ’"
        case .singleStraight: "' '"
        case .guillemets: "« »"
        case .reversedGuillemets: "» «"
        case .lowHigh: "„ “"
        case .dash: "—"
        case .script: "NAME:"
        case .none: "none"
        }
    }
}
