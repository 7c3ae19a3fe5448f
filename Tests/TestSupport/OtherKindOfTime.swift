/// A time in a test is not of the kind that the test is about (a day, a wall clock, an
/// instant): the test is wrong, or what reads times is.
package struct OtherKindOfTime: Error {
    package var text: String

    package init(_ text: String) { self.text = text }
}
