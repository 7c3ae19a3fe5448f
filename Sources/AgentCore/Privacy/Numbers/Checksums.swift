/// The check digits of numbers that authorities and banks issue. Pure; digits are 0 to 9,
/// letters folded ASCII.
enum Checksums {
    /// ISO/IEC 7812-1, annex B.
    static func luhn(_ digits: [Int]) -> Bool {
        digits.reversed().enumerated().reduce(0) { sum, pair in
            let value = pair.offset % 2 == 0 ? pair.element : pair.element * 2
            return sum + (value > 9 ? value - 9 : value)
        } % 10 == 0
    }

    /// ISO 7064 MOD 97-10 as ISO 13616 uses it for an IBAN.
    static func iban(_ characters: [UInt8]) -> Bool {
        var rest = 0
        for character in characters.dropFirst(4) + characters.prefix(4) {
            if character &- 0x30 < 10 {
                rest = (rest * 10 + Int(character - 0x30)) % 97
            } else {
                rest = (rest * 100 + Int(character - 0x61) + 10) % 97
            }
        }
        return rest == 1
    }

    /// The sum of the digits times their weights.
    static func weighted(_ digits: [Int], _ weights: [Int]) -> Int {
        zip(digits, weights).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// Poland's PESEL, which contains the date of birth.
    static func pesel(_ digits: [Int]) -> Bool {
        guard digits.count == 11 else { return false }
        let month = (digits[2] * 10 + digits[3]) % 20
        let day = digits[4] * 10 + digits[5]
        let sum = weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3])
        return (1...12).contains(month) && (1...31).contains(day)
            && (10 - sum % 10) % 10 == digits[10]
    }

    /// Spain's DNI: the remainder modulo 23 gives the letter.
    static func dni(_ number: Int, _ letter: UInt8) -> Bool {
        Array("trwagmyfpdxbnjzsqvhlcke".utf8)[number % 23] == letter
    }

    /// France's NIR: the key is 97 less the remainder.
    static func nir(_ digits: [Int]) -> Bool {
        let number = digits.prefix(13).reduce(0) { $0 * 10 + $1 }
        return 97 - number % 97 == digits[13] * 10 + digits[14]
    }

}
