/// Escaping of text for display on a terminal, in a table or on a page.
///
/// Names come from files, arguments and other programs, so they may contain characters that move
/// the cursor, reorder the surrounding text or are invisible.
extension String {
  /// The text on one line, with unprintable characters escaped as `\u{…}`.
  var printable: String { escaping(\.isUnprintable) }

  /// The text with unprintable characters other than line feeds escaped as `\u{…}`.
  var printableLines: String { escaping { $0 != "\n" && $0.isUnprintable } }

  /// Returns the text with the scalars that satisfy a predicate escaped as `\u{…}`.
  func escaping(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: isEscaped) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if isEscaped(scalar) {
        text.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// Returns the text after replacing each scalar for which the closure returns a replacement.
  ///
  /// Compares scalars, not characters: a quotation mark and a combining mark after it form one
  /// `Character`, so the quotation mark would stay unescaped and end the quoted text.
  func replacing(each replacement: (Unicode.Scalar) -> String?) -> String {
    guard unicodeScalars.contains(where: { replacement($0) != nil }) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let other = replacement(scalar) {
        text.append(contentsOf: other.unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a control, a line or paragraph separator, an invisible format character
  /// such as a bidirectional mark, or a noncharacter.
  ///
  /// The zero-width joiner and non-joiner are exempt, because scripts and emoji need them.
  var isUnprintable: Bool {
    // Nearly all scalars are ASCII.
    if value < 0x7F { return value < 0x20 }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format: return value != 0x200C && value != 0x200D
    default: return properties.isNoncharacterCodePoint
    }
  }
}
