/// Text of a page in which everything is escaped that was not written as markup.
///
/// A literal is markup. What is interpolated into it is text, unless it is markup itself.
struct Markup: ExpressibleByStringInterpolation {
  private(set) var text: String

  init(stringLiteral value: String) { text = value }
  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: String) { text += Markup.escaped(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
    mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
    mutating func appendInterpolation(_ parts: [Markup]) {
      for part in parts { text += part.text }
    }

    /// A place or a length in a drawing.
    mutating func appendInterpolation(_ value: Double) {
      var number = Figures.decimal(value, 2)
      while number.hasSuffix("0") { number.removeLast() }
      if number.hasSuffix(".") { number.removeLast() }
      text += number == "-0" ? "0" : number
    }
  }

  static func += (left: inout Markup, right: Markup) { left.text += right.text }

  /// The text as the content of an element or of an attribute.
  ///
  /// A character that is not printable is shown as `\u{…}`; XML has no characters for some of them.
  private static func escaped(_ value: String) -> String {
    value.printable.replacing { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: nil
      }
    }
  }
}
