/// The numbers of exports.
enum NumberText {
  /// The finite decimal number that a text is, with a point; nil for any other text.
  ///
  /// The one rule for every number of a document. Apple writes a decimal comma only beside it, in
  /// the files of electrocardiograms.
  static func finite(_ text: some StringProtocol) -> Double? {
    guard let number = Double(text), number.isFinite else { return nil }
    // `0x10` is a number to Swift.
    return text.utf8.contains { $0 | 0x20 == UInt8(ascii: "x") } ? nil : number
  }
}
