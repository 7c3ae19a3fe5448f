/// A person of the story, while their name forms are collected.
struct CastPerson {
    var forms: [Int] = []
    var first: Int32?
    var last: Int32?
    /// The person's titles, except those of only a few mentions, such as in jest or in a
    /// play.
    private(set) var titles: Set<Int32> = []
    private var titleCounts: [Int32: Int] = [:]
    /// Number of times that a title precedes the first name, as for a younger sister: "Miss Eliza
    /// Bennet", where "Miss Bennet" is the eldest.
    var asYounger = 0
    /// A few such mentions are enough among several sisters, but not with a single
    /// candidate.
    func isYounger(among candidates: Int) -> Bool {
        asYounger > 1 && asYounger * (candidates > 1 ? 50 : 8) >= tally.count
    }
    /// "the Hatter": a noun instead of a name.
    var isRole = false
    var tally = NameForm.Tally()

    init(first: Int32? = nil, last: Int32? = nil, isRole: Bool = false) {
        self.first = first
        self.last = last
        self.isRole = isRole
    }

    /// Whether at least one mention has that title.
    func hasEver(_ title: Int32) -> Bool { titleCounts[title] != nil }

    mutating func take(_ number: Int, _ form: NameForm) {
        forms.append(number)
        tally += form.tally
        if let title = form.title { titleCounts[title, default: 0] += form.tally.count }
        let needed = tally.count
        titles = Set(titleCounts.filter { $0.value * 25 >= needed }.keys)
    }
}
