/// Finds the cast of a story from its own text.
package enum CastFinder {
    package static func find(in text: StoryText) -> Cast {
        Cast([])
    }
}
