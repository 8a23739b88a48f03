import Foundation

/// The right side of MATCHES: a regular expression that the whole text must match, tried with
/// bounded work.
///
/// An expression such as `(a+)+b` takes a number of steps that doubles with each character. The
/// matcher of Foundation gives up on such a text after some seconds, or when its stack is full, and
/// then says no more than that it found nothing.
struct BoundedExpression {
  /// How often the matcher may report progress before it is stopped.
  ///
  /// It does so after about 10,000 steps, and an expression that goes through the longest metadata
  /// there is and back needs 104 reports.
  static let mostReports = 256

  private let expression: NSRegularExpression
  private let text: String

  init(_ text: String, _ options: TextOptions) throws(HKPredicateFormatError) {
    self.text = text
    var flags: NSRegularExpression.Options = []
    if options.contains(.caseInsensitive) { flags.insert(.caseInsensitive) }
    // The text is folded before it is matched, so the expression's letters must lose their
    // marks, too. Folding its case would turn \W into \w; the flag sees to that instead.
    let marks = options.intersection(.diacriticInsensitive)
    do {
      // The end is part of the expression, so that alternatives backtrack until one reaches it.
      expression = try NSRegularExpression(
        pattern: "(?:\(text.folded(marks)))\\z", options: flags)
    } catch {
      throw .invalidPattern(text)
    }
  }

  /// Whether the whole text matches.
  ///
  /// - Throws: ``HKPredicateFormatError/tooMuchWork(pattern:)`` when that takes too many steps.
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
