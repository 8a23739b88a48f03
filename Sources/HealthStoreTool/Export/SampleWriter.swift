import HealthStore
import SampleLog

/// Writes samples in a format of other programs, one after another.
protocol SampleWriter: AnyObject {
  /// Where the text goes.
  var sink: ExportSink { get }
  /// What the format has no words for, and so was left out; sentences for a person.
  var losses: [String] { get }

  /// Writes what comes before the first sample.
  func begin() throws

  /// Writes a sample.
  func add(_ block: Block, _ row: Int) throws

  /// Writes the activity summaries that there are of some days.
  func add(_ days: [ActivityDay], of choice: ActivityDays) throws

  /// Writes that a sample is gone.
  func delete(_ change: Change) throws

  /// Writes that everything of a subject is gone.
  func erase(_ subject: String) throws

  /// Writes what comes after the last sample.
  func end() throws
}

extension SampleWriter {
  var losses: [String] { [] }

  func begin() throws {}
  func end() throws {}
}

/// The text of an export on its way out, of which little is in memory.
final class ExportSink {
  var text = TextBuffer()
  private let output: Output

  private static let fullByteCount = 64 << 10

  init(_ output: Output) { self.output = output }

  /// Hands over what is written once that is much.
  func flushIfFull() throws { if text.count >= Self.fullByteCount { try flush() } }

  func flush() throws { try output.write(bytes: text.take()) }

  /// Hands over everything, down to the file.
  func finish() throws {
    try flush()
    try output.flush()
  }
}
