/// An invalid command line.
struct UsageError: Error {
  var sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}

/// The words after a subcommand's name, divided into options and operands.
struct Arguments {
  private(set) var others: [String] = []
  private var values: [String: String] = [:]

  /// Parses words.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - options: The names of the options that a value follows.
  ///   - flags: The names of the options without one.
  ///   - count: The number of operands allowed.
  /// - Throws: An error that describes the invalid word.
  init(
    _ words: ArraySlice<String>, options: Set<String>, flags: Set<String> = [],
    others count: ClosedRange<Int> = 0...0
  ) throws(UsageError) {
    var rest = words
    while let word = rest.popFirst() {
      if flags.contains(word) {
        values[word] = ""
      } else if options.contains(word) {
        guard let value = rest.popFirst() else { throw UsageError("\(word) needs a value.") }
        values[word] = value
      } else if word.hasPrefix("--") {
        throw UsageError("There is no option \(word).")
      } else {
        others.append(word)
      }
    }
    guard count.contains(others.count) else {
      throw UsageError("There are \(others.count) arguments.")
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  subscript(_ name: String) -> String? { values[name] }

  /// Returns the number after an option, or nil if the option is absent.
  func number<Number: LosslessStringConvertible & Comparable>(
    _ name: String, in range: ClosedRange<Number>
  ) throws(UsageError) -> Number? {
    guard let text = values[name] else { return nil }
    guard let number = Number(text), range.contains(number) else {
      throw UsageError("\(name) needs a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }
}
