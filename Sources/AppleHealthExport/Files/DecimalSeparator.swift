/// Decides which separator a file of numbers has before the decimals.
///
/// A number alone does not tell: `1,234` is a thousand beside `2.5` and little more than one beside
/// `2,5`. So each number of the file says which readings it allows.
struct DecimalSeparator {
  /// A number in ASCII, with its separators, and without spaces and apostrophes between groups.
  struct Number {
    let text: String

    /// Parses a number in any language's digits; nil if the text is not a number.
    init?(_ text: Substring) {
      guard text.utf8.count <= 128 else { return nil }
      var result = ""
      var hasDigit = false
      for scalar in text.unicodeScalars {
        switch scalar {
        case "0"..."9", ".", ",", "-", "+":
          hasDigit = hasDigit || ("0"..."9").contains(scalar)
          result.unicodeScalars.append(scalar)
        case "e", "E": result += "e"
        case "\u{2212}": result += "-"
        // The Arabic separators have one meaning each.
        case "\u{66B}": result += "_"
        // These stand between groups of digits only.
        case " ", "\u{A0}", "\u{202F}", "'", "\u{2019}", "\u{66C}": break
        default:
          guard let digit = scalar.decimalDigit else { return nil }
          hasDigit = true
          result += "\(digit)"
        }
      }
      guard hasDigit else { return nil }
      self.text = result
    }

    /// The value of the number by itself.
    var value: Double? {
      var separator = DecimalSeparator()
      separator.add(self)
      return value(separator.decimal)
    }

    /// The value with a decimal separator; nil if the other one does not stand between groups.
    func value(_ decimal: Character) -> Double? {
      let group: Character = decimal == "." ? "," : "."
      var digits = text.replacing("_", with: String(decimal))
      if digits.contains(group) {
        let whole = digits.split(separator: decimal, omittingEmptySubsequences: false)[0]
        let groups = whole.drop { $0 == "-" || $0 == "+" }
          .split(separator: group, omittingEmptySubsequences: false)
        // Groups of two are those of India.
        guard groups.last?.count == 3, (1...3).contains(groups[0].count), groups[0].first != "0",
          groups.dropFirst().dropLast().allSatisfy({ (2...3).contains($0.count) }),
          !digits.dropFirst(whole.count).contains(group)
        else { return nil }
        digits.removeAll { $0 == group }
      }
      return NumberText.finite(digits.replacing(String(decimal), with: "."))
    }
  }

  /// The numbers with a point and with a comma that are numbers with one, and those that have one.
  private var points = 0
  private var commas = 0
  private var withPoint = 0
  private var withComma = 0

  /// Takes in one number of the file.
  mutating func add(_ number: Number) {
    let (hasPoint, hasComma) = (number.text.contains("."), number.text.contains(","))
    guard hasPoint || hasComma else { return }
    if number.value(".") != nil { points += 1 }
    if number.value(",") != nil { commas += 1 }
    if hasPoint { withPoint += 1 }
    if hasComma { withComma += 1 }
  }

  /// The separator under which most numbers are numbers; of two, the one that more numbers have.
  var decimal: Character {
    points == commas ? (withComma > withPoint ? "," : ".") : (commas > points ? "," : ".")
  }
}

extension Unicode.Scalar {
  /// The value of a decimal digit of any script.
  fileprivate var decimalDigit: Int? {
    properties.generalCategory == .decimalNumber ? properties.numericValue.map { Int($0) } : nil
  }
}

extension StringProtocol {
  /// The text with the decimal digits of other scripts as those of ASCII.
  var withASCIIDigits: String {
    var result = ""
    for scalar in unicodeScalars {
      if !scalar.isASCII, let digit = scalar.decimalDigit {
        result += "\(digit)"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
