import FoundationEssentials

/// Numbers, durations and times in readable form. Pure.
package enum Quantities {
    /// `1204` as `1,204`.
    package static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { grouped.append(",") }
            grouped.append(digit)
        }
        return number < 0 ? "-" + grouped : grouped
    }

    /// A size in powers of 1,024, as for files: `3.1 KB`, `212 KB`, `1.4 GB`; `2 MB` if it is just that.
    package static func bytes(_ count: Int) -> String {
        if count < 1_024 { return Self.count(count, "byte") }
        var value = Double(count) / 1_024
        for unit in ["KB", "MB", "GB"] {
            if value < 1_024 || unit == "GB" {
                let tenths = Int((value * 10).rounded())
                return value < 10 && value != value.rounded()
                    ? "\(tenths / 10).\(tenths % 10) \(unit)"
                    : "\(grouped(Int(value.rounded()))) \(unit)"
            }
            value /= 1_024
        }
        return grouped(count)
    }

    /// Rounded tokens: `960`, `1.2k`, `38k`, `922k`, `1M`, `1.05M`.
    package static func short(_ number: Int) -> String {
        func scaled(_ unit: Int, _ name: String, places: Int) -> String {
            let step = places == 2 ? unit / 100 : unit / 10
            let parts = number / step + (number % step >= (step + 1) / 2 ? 1 : 0)
            let (whole, rest) = parts.quotientAndRemainder(dividingBy: unit / step)
            if whole >= 10 * (places == 2 ? 10 : 1) || rest == 0 { return "\(whole)\(name)" }
            var digits = rest.padded(to: places)
            while digits.last == "0" { digits.removeLast() }
            return "\(whole).\(digits)\(name)"
        }
        switch number {
        case ..<1_000: return "\(number)"
        case ..<999_500: return scaled(1_000, "k", places: 1)
        case ..<999_500_000: return scaled(1_000_000, "M", places: 2)
        default: return grouped(number / 1_000_000) + "M"
        }
    }

    /// `0.34 s`, `1.1 s`, `12 s`, `2 min 5 s`.
    package static func seconds(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "?" }
        // A larger value would be rounded to "10.0".
        if seconds < 9.95 {
            let tenths = Int((seconds * 10).rounded())
            return "\(tenths / 10).\(tenths % 10) s"
        }
        let whole = Int(seconds.rounded())
        return whole < 120 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
    }

    /// The age of a time: `just now`, `5 min ago`, `3 h ago`, `yesterday`, `6 days ago`, `4
    /// weeks ago`, `5 months ago`, `2 years ago`.
    package static func ago(_ then: Date, now: Date) -> String {
        let seconds = now.timeIntervalSince(then)
        guard seconds.isFinite, seconds < 1e11 else { return "long ago" }
        let minutes = Int(seconds / 60)
        let days = minutes / 1440
        switch minutes {
        case ..<1: return "just now"
        case ..<60: return "\(minutes) min ago"
        case ..<1440: return "\(minutes / 60) h ago"
        case ..<2880: return "yesterday"
        case ..<(1440 * 14): return "\(days) days ago"
        case ..<(1440 * 60): return "\(days / 7) weeks ago"
        case ..<(1440 * 730): return "\(days / 30) months ago"
        default: return "\(days / 365) years ago"
        }
    }

    /// `1 turn`, `12 turns`.
    package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
    }
}
