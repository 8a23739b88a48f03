import AppleHealthExport
import Foundation
import HealthStore
import SampleLog

/// Saves records in batches, each of which is one commit.
struct Ingestion: ~Copyable {
  /// The result of an ingestion, as numbers of samples and summaries.
  struct Summary {
    var added = 0
    /// The samples that the store already had, in the same or a later version.
    var known = 0
    var deleted = 0
    /// The activity summaries that were saved.
    var days = 0
  }

  private let database: Database
  private var reader: RecordReader
  private var converter: RecordConverter
  private var writer: RowWriter
  /// The number of records in the current batch.
  private var waiting = 0
  /// The size of their extras, in bytes.
  private var waitingBytes = 0
  private var added: Set<UUID> = []
  private var deleted: Set<UUID> = []
  /// The activity summaries of the current batch, by subject.
  private var days: [String: [DateComponents: HKActivitySummary]] = [:]
  private(set) var summary = Summary()
  /// The line at which to resume; everything before it is committed.
  private(set) var resume: Int

  /// The number of records at which a batch is committed.
  static let batchCount = 10_000
  /// The size of extras at which a batch is committed, in bytes.
  static let batchBytes = 64 << 20

  init(_ reader: RecordReader, into database: Database, subject: String, from line: Int) {
    self.database = database
    self.reader = reader
    converter = RecordConverter(subject: subject)
    writer = RowWriter(database, subject: subject)
    resume = line
  }

  /// The number of records processed, and of bytes read.
  var progress: (count: Int, bytes: Int64) {
    (
      summary.added + summary.known + summary.deleted + summary.days + waiting, reader.byteCount
    )
  }

  /// The line at which the latest record begins.
  var line: Int { reader.line }

  /// Saves the records from line ``resume`` up to the end or until the caller cancels.
  ///
  /// If the caller cancels, the records before the current line are committed.
  ///
  /// - Returns: Whether the end was reached.
  /// - Throws: ``IngestProblem`` for an invalid record, and errors of reading and saving.
  ///   ``resume`` is then the line to continue at.
  mutating func run(
    isCancelled: () -> Bool = { false }, report: (borrowing Ingestion) -> Void = { _ in }
  ) throws -> Bool {
    let first = resume
    var next = first
    do {
      while let record = try reader.next() {
        if reader.line < first { continue }
        if isCancelled() {
          try commit(through: reader.line)
          return false
        }
        try take(record)
        next = reader.line + 1
        report(self)
      }
    } catch ExportError.cancelled {
      // The reader may have stopped in the middle of a record, so its line is not used.
      try commit(through: next)
      return false
    }
    try commit(through: reader.line + 1)
    return true
  }

  private mutating func take(_ record: RecordReader.Record) throws {
    if waiting >= Self.batchCount || waitingBytes >= Self.batchBytes {
      try commit(through: reader.line)
    }
    switch try item(record) {
    case .nothing: return
    case .deletion(let uuid, let subject):
      if added.contains(uuid) { try commit(through: reader.line) }
      guard let row = try database.snapshot().row(Identifier(uuid)),
        database.symbols.text(row.subject) == subject, deleted.insert(uuid).inserted
      else { return }
      writer.delete(Identifier(uuid))
    case .day(let day, let summary, let subject): days[subject, default: [:]][day] = summary
    case .sample(let sample, let children, let subject):
      if deleted.contains(sample.uuid) { try commit(through: reader.line) }
      writer.use(subject: subject)
      do {
        try writer.add(sample, children: children)
        waitingBytes += ([sample] + children).reduce(0) { $0 + $1.extras.count }
      } catch {
        // Some rows of the rejected sample may be in the batch, which is therefore abandoned.
        throw Self.problem(error)
      }
      added.insert(sample.uuid)
    }
    waiting += 1
  }

  private mutating func item(_ record: RecordReader.Record) throws -> RecordConverter.Item {
    do {
      return try converter.item(record)
    } catch let error as HKInvalidSampleError {
      throw Self.problem(error)
    }
  }

  private static func problem(_ error: HKInvalidSampleError) -> IngestProblem {
    let sentence = error.description
    return IngestProblem(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence)
  }

  /// Commits the current batch, which consists of the records before a line.
  private mutating func commit(through line: Int) throws {
    let outcome = try writer.commit()
    for (subject, days) in days {
      try HKHealthStore(database: database, subject: subject).importActivitySummaries(days)
      summary.days += days.count
    }
    days.removeAll(keepingCapacity: true)
    summary.added += outcome.added.count - outcome.superseded
    summary.known += outcome.known.count + outcome.superseded
    summary.deleted += deleted.count
    (waiting, waitingBytes) = (0, 0)
    added.removeAll(keepingCapacity: true)
    deleted.removeAll(keepingCapacity: true)
    resume = line
  }
}
