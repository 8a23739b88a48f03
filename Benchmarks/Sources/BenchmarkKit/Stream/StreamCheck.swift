/// Checks that this machine generates the published stream.
enum StreamCheck {
  private static let known: [(count: Int, checksum: String)] = [
    (1, "bc275aeb6b651faf"),
    (1_000, "a83504751235f620"),
    (100_000, "b8df74f326529c57"),
    (1_000_000, "2e20269967bc84ec"),
    (10_000_000, "d8e1d0f7d0c04757"),
  ]

  /// Prints the known checksums next to ours, and the cost of a sample.
  ///
  /// - Parameter limit: the longest stream to check, in samples.
  /// - Throws: ``BenchmarkError/wrongStream(count:)`` if they differ.
  static func run(upTo limit: Int) throws {
    var stream = SampleStream()
    var checksum = Checksum()
    var count = 0
    var spent = 0.0
    for (target, expected) in known where target <= limit {
      let watch = Stopwatch()
      while count < target {
        if let sample = stream.next() { sample.fold(into: &checksum) }
        count += 1
      }
      spent += watch.seconds
      let cost = (spent * 1e9 / Double(count)).rounded(toPlaces: 1)
      printError("stream: \(count) samples, checksum \(checksum.text), \(cost) ns a sample")
      guard checksum.text == expected else { throw BenchmarkError.wrongStream(count: count) }
    }
  }
}
