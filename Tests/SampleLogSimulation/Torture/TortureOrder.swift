internal import SampleLog

/// The instructions for a writer, encoded as one command-line argument.
package struct TortureOrder: Equatable, Sendable {
  package var seed: UInt64 = 0
  /// The number of the run, which together with the seed determines its operations.
  package var run: UInt64 = 0
  /// The number of the first operation; earlier operations have lower numbers.
  package var first: UInt64 = 1
  package var threads = 1
  /// The number of operations before the store is closed, or nil to run until killed.
  package var operations: Int?
  /// Whether some operations are acknowledged before they are durable.
  package var buffers = false
  /// The maximum size of a batch.
  package var largest = 500

  package init() {}

  package init?(_ text: String) {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    guard words.count == 7, let seed = UInt64(words[0]), let run = UInt64(words[1]),
      let first = UInt64(words[2]), let threads = Int(words[3]), 1...64 ~= threads,
      let operations = Int(words[4]), let largest = Int(words[6]), largest > 0
    else { return nil }
    self.seed = seed
    self.run = run
    self.first = first
    self.threads = threads
    self.operations = operations == 0 ? nil : operations
    buffers = words[5] == "buffers"
    self.largest = largest
  }

  package var text: String {
    "\(seed),\(run),\(first),\(threads),\(operations ?? 0),"
      + "\(buffers ? "buffers" : "durable"),\(largest)"
  }

  /// Options with small files, so that sealing, merging and truncation of deletions occur often.
  var options: Database.Options {
    var options = Database.Options()
    options.sealRowCount = 2000
    options.segmentRowCount = 40_000
    options.deletionRetention = .seconds(1)
    // A run with a fixed number of operations must make the same calls each time.
    options.sealsInBackground = operations == nil
    return options
  }
}
