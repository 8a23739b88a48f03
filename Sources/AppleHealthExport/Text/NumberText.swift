/// A parser of the numbers in exports.
enum NumberText {
  /// Parses a finite decimal number with a decimal point; nil for any other text.
  ///
  /// Every number of a document is parsed by this function. Apple writes a decimal comma only in
  /// separate files, those of electrocardiograms.
  static func finite(_ text: some StringProtocol) -> Double? {
    guard let number = Double(text), number.isFinite else { return nil }
    // Swift's parser accepts hexadecimal numbers such as `0x10`, too.
    return text.utf8.contains { $0 | 0x20 == UInt8(ascii: "x") } ? nil : number
  }
}
