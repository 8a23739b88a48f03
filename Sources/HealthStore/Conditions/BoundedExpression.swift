import Foundation

/// The right side of MATCHES: a regular expression that must match the complete text, evaluated
/// with bounded work.
///
/// An expression such as `(a+)+b` takes a number of steps that doubles with each character.
/// Foundation's matcher gives up on such a text after several seconds, or when its stack overflows,
/// and reports no match.
struct BoundedExpression {
  /// The maximum number of progress reports before matching is stopped.
  ///
  /// The matcher reports progress after about 10,000 steps. Scanning the longest metadata value and
  /// backtracking to its start takes 104 reports.
  static let mostReports = 256

  private let expression: NSRegularExpression
  private let text: String

  init(_ text: String, _ options: TextOptions) throws(HKPredicateFormatError) {
    self.text = text
    var flags: NSRegularExpression.Options = []
    if options.contains(.caseInsensitive) { flags.insert(.caseInsensitive) }
    // The text is folded before it is matched, so diacritics are removed from the expression as
    // well. Its case is not folded, because that would turn \W into \w; a flag handles case.
    let marks = options.intersection(.diacriticInsensitive)
    do {
      // The end anchor is part of the expression, so that alternatives backtrack until one reaches
      // the end.
      expression = try NSRegularExpression(
        pattern: "(?:\(text.folded(marks)))\\z", options: flags)
    } catch {
      throw .invalidPattern(text)
    }
  }

  /// Returns whether the complete text matches.
  ///
  /// - Throws: ``HKPredicateFormatError/tooMuchWork(pattern:)`` if matching takes too many steps.
  func matches(_ text: String) throws(HKPredicateFormatError) -> Bool {
    let whole = NSRange(location: 0, length: text.utf16.count)
    var isFound = false
    var hasGivenUp = false
    var reports = 0
    expression.enumerateMatches(
      in: text, options: [.anchored, .reportProgress, .reportCompletion], range: whole
    ) { result, flags, stop in
      if result != nil {
        isFound = true
        stop.pointee = true
      } else if flags.contains(.internalError) {
        hasGivenUp = true
      } else if flags.contains(.progress) {
        reports += 1
        if reports > Self.mostReports {
          hasGivenUp = true
          stop.pointee = true
        }
      }
    }
    if hasGivenUp, !isFound { throw .tooMuchWork(pattern: self.text) }
    return isFound
  }
}
