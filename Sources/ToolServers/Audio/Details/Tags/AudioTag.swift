/// One thing that a file of sound says of itself and that would leave with it:
/// a title, a place, a picture. Foreign text, bounded in length.
package struct AudioTag: Sendable, Equatable {
    /// "title", "artist", "location" …, or the format's own name.
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
