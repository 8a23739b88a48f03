internal import SampleLog

/// What a writer is to do, as one word of its command line.
package struct TortureOrder: Equatable, Sendable {
  package var seed: UInt64 = 0
  /// The number of the run, which with the seed decides what is done.
  package var run: UInt64 = 0
  /// The number of the first operation; none before has it or a higher one.
  package var first: UInt64 = 1
  package var threads = 1
  /// How many operations to do before closing the store; nil: until somebody ends it.
  package var operations: Int?
  /// Whether some operations are acknowledged before they are durable.
  package var buffers = false
  /// How large batches may be.
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

  /// Small files, so that sealing, merging and forgetting happen all the time.
  var options: Database.Options {
    var options = Database.Options()
    options.sealRowCount = 2000
    options.segmentRowCount = 40_000
    options.deletionRetention = 1
    // A counted number of operations is meant to make the same calls in every run.
    options.sealsInBackground = operations == nil
    return options
  }
}
