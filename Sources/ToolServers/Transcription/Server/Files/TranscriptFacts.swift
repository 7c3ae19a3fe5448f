/// A short summary of a recording and its transcript. Pure.
enum TranscriptFacts {
    /// `meeting.m4a · 12:30 · 1,834 words`
    static func line(file: String, duration: Double?, text: String) -> String {
        let count = TranscriptText.wordCount(text)
        let words = count == 1 ? "1 word" : "\(grouped(count)) words"
        return [file, duration.map(clock), count == 0 ? "no words" : words].compactMap { $0 }
            .joined(separator: " · ")
    }

    /// `meeting.m4a · 4.2 MB · 12:30 → api.openai.com`
    static func preview(
        file: String, bytes: Int, duration: Double?, server: String, price: String? = nil
    ) -> String {
        [file, size(bytes), duration.map(clock)].compactMap { $0 }.joined(separator: " · ")
            + " → " + server + (price.map { ", about \($0)" } ?? "")
    }

    /// `0:07`, `12:30`, `1:02:03`
    static func clock(_ seconds: Double) -> String {
        // A day is the longest recording accepted; NaN is 0.
        let whole = seconds > 0 ? Int(min(seconds, 1e7).rounded()) : 0
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (minutes, rest) = (whole / 60, whole % 60)
        return minutes < 60
            ? "\(minutes):\(two(rest))" : "\(minutes / 60):\(two(minutes % 60)):\(two(rest))"
    }

    /// Decimal units, as in the limits of servers.
    static func size(_ bytes: Int) -> String {
        if bytes < 1_000 { return "\(bytes) bytes" }
        if bytes < 999_500 { return "\((bytes + 500) / 1_000) kB" }
        let tenths = (bytes + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) MB"
    }

    static func grouped(_ number: Int) -> String {
        var digits = String(number)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return ([digits] + groups).joined(separator: ",")
    }
}
