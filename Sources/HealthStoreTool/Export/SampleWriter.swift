import HealthStore
import SampleLog

/// A writer of samples in a format of other programs.
protocol SampleWriter: AnyObject {
  /// The buffer that receives the text.
  var sink: ExportSink { get }
  /// The data omitted because the format cannot represent it, as sentences for the user.
  var losses: [String] { get }

  /// Writes the header.
  func begin() throws

  func add(_ block: Block, _ row: Int) throws

  /// Writes all existing activity summaries of a selection.
  func add(_ days: [ActivityDay], of choice: ActivityDays) throws

  /// Writes the deletion of a sample.
  func delete(_ change: Change) throws

  /// Writes the erasure of a subject.
  func erase(_ subject: String) throws

  /// Writes the footer.
  func end() throws
}

extension SampleWriter {
  var losses: [String] { [] }

  func begin() throws {}
  func end() throws {}
}

/// A bounded buffer between a writer and the output.
final class ExportSink {
  var text = TextBuffer()
  private let output: Output

  private static let fullByteCount = 64 << 10

  init(_ output: Output) { self.output = output }

  /// Writes the buffer to the output if it has reached 64 KiB.
  func flushIfFull() throws { if text.count >= Self.fullByteCount { try flush() } }

  /// Flushes the buffered text and writes bytes after it.
  func write(_ bytes: [UInt8]) throws {
    if bytes.count < Self.fullByteCount {
      text.append(bytes)
      return try flushIfFull()
    }
    try flush()
    try output.write(bytes: bytes)
  }

  func flush() throws { try output.write(bytes: text.take()) }

  /// Writes the buffer and flushes the output.
  func finish() throws {
    try flush()
    try output.flush()
  }
}
