/// Text as a person reads it, on a terminal, in a table or on a page.
///
/// Names come from files, arguments and other programs, so any of them may contain characters that
/// move a cursor, reorder the text around them or hide.
extension String {
  /// The text on one line, with characters that act instead of being shown as `\u{…}`.
  var printable: String { escaping(\.isUnprintable) }

  /// The same for text of several lines.
  var printableLines: String { escaping { $0 != "\n" && $0.isUnprintable } }

  /// The text with some of its characters as `\u{…}`.
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

  /// The text with each of some characters replaced.
  ///
  /// Compares code points: a combining mark behind a quotation mark would hide it from a comparison
  /// of characters, and the text would end where the mark stands.
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
  /// Whether the character acts on a terminal or a page instead of being shown: a control, a line
  /// or paragraph separator, a bidirectional or other invisible format character, a noncharacter.
  ///
  /// The two joiners are shown, because scripts and emoji are written with them.
  var isUnprintable: Bool {
    // Nearly all are ASCII.
    if value < 0x7F { return value < 0x20 }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format: return value != 0x200C && value != 0x200D
    default: return properties.isNoncharacterCodePoint
    }
  }
}
