/// Markup of a page, in which interpolated text is escaped.
///
/// Literals and interpolated ``Markup`` are inserted unchanged.
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

    /// Appends a coordinate or length of a chart, with at most two decimal places.
    mutating func appendInterpolation(_ value: Double) {
      var number = Figures.decimal(value, 2)
      while number.hasSuffix("0") { number.removeLast() }
      if number.hasSuffix(".") { number.removeLast() }
      text += number == "-0" ? "0" : number
    }
  }

  static func += (left: inout Markup, right: Markup) { left.text += right.text }

  /// Returns text escaped for the content of an element or attribute.
  ///
  /// Unprintable characters become `\u{…}`, because XML cannot represent all of them.
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
