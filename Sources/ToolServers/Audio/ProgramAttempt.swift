/// A program for sound that was tried and ended before it did anything, while
/// there was another one to try. A fact; the sentence is made elsewhere.
package struct ProgramAttempt: Sendable, Equatable {
    package var program: String
    package var status: Int32
    /// Its own last words, bounded.
    package var message: String

    package init(program: String, status: Int32, message: String) {
        self.program = program
        self.status = status
        self.message = message
    }
}
