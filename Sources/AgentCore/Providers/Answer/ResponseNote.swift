/// What the head of a response says about the exchange, for a log: never a
/// key, a message or an answer.
package struct ResponseNote: Sendable, Equatable {
    package var provider: ProviderName
    /// Empty for a list of models.
    package var model: String
    package var status: Int
    /// From the request to the head.
    package var seconds: Double
    package var limits: RateLimits

    package init(
        provider: ProviderName, model: String, status: Int, seconds: Double, limits: RateLimits
    ) {
        self.provider = provider
        self.model = model
        self.status = status
        self.seconds = seconds
        self.limits = limits
    }
}
