/// Somebody of a story while the forms of a name are put together.
struct CastPerson {
    var forms: [Int] = []
    var first: Int32?
    var last: Int32?
    var titles: Set<Int32> = []
    /// How often a title stands before the first name, as with a younger sister: "Miss
    /// Eliza Bennet", where "Miss Bennet" is the eldest.
    var asYounger = 0
    /// A few such mentions tell among several sisters, not where there is one candidate.
    func isYounger(among candidates: Int) -> Bool {
        asYounger > 1 && asYounger * (candidates > 1 ? 50 : 8) >= tally.count
    }
    /// "the Hatter": a noun and no name.
    var isRole = false
    var tally = NameForm.Tally()

    mutating func take(_ number: Int, _ form: NameForm) {
        forms.append(number)
        tally += form.tally
        if let title = form.title { titles.insert(title) }
    }
}
