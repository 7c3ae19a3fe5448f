/// One person of the story, while the forms of their name are being collected.
struct CastPerson {
    var forms: [Int] = []
    var first: Int32?
    var last: Int32?
    /// The titles that belong to them. One that a few mentions have, in jest or in a play,
    /// is not among them.
    private(set) var titles: Set<Int32> = []
    private var titleCounts: [Int32: Int] = [:]
    /// How often a title stands before the first name, as with a younger sister: "Miss
    /// Eliza Bennet", where "Miss Bennet" is the eldest.
    var asYounger = 0
    /// Among several sisters a few such mentions are enough; with a single candidate they are
    /// not.
    func isYounger(among candidates: Int) -> Bool {
        asYounger > 1 && asYounger * (candidates > 1 ? 50 : 8) >= tally.count
    }
    /// "the Hatter": a noun and no name.
    var isRole = false
    var tally = NameForm.Tally()

    init(first: Int32? = nil, last: Int32? = nil, isRole: Bool = false) {
        self.first = first
        self.last = last
        self.isRole = isRole
    }

    /// Whether one mention at least has that title.
    func hasEver(_ title: Int32) -> Bool { titleCounts[title] != nil }

    mutating func take(_ number: Int, _ form: NameForm) {
        forms.append(number)
        tally += form.tally
        if let title = form.title { titleCounts[title, default: 0] += form.tally.count }
        let needed = tally.count
        titles = Set(titleCounts.filter { $0.value * 25 >= needed }.keys)
    }
}
