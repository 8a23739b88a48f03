import AppleHealthExport
import Foundation
import HealthStore
import SampleLog

/// The saving of records, in batches of which each is one commit.
struct Ingestion: ~Copyable {
  /// What was done.
  struct Summary {
    var added = 0
    /// Samples that the store had already, or a later version of.
    var known = 0
    var deleted = 0
    /// Activity summaries that were set.
    var days = 0
  }

  private let database: Database
  private var reader: RecordReader
  private var converter: RecordConverter
  private var writer: RowWriter
  /// Samples and deletions that wait for the commit, and the bytes of what they contain.
  private var waiting = 0
  private var waitingBytes = 0
  private var added: Set<UUID> = []
  private var deleted: Set<UUID> = []
  /// Activity summaries that wait, by subject.
  private var days: [String: [DateComponents: HKActivitySummary]] = [:]
  private(set) var summary = Summary()
  /// Everything before this line is saved.
  private(set) var resume: Int

  /// So many make a commit.
  static let batchCount = 10_000
  private static let batchBytes = 64 << 20

  init(_ reader: RecordReader, into database: Database, subject: String, from line: Int) {
    self.database = database
    self.reader = reader
    converter = RecordConverter(subject: subject)
    writer = RowWriter(database, subject: subject)
    resume = line
  }

  /// Records done, and bytes read.
  var progress: (count: Int, bytes: Int64) {
    (
      summary.added + summary.known + summary.deleted + summary.days + waiting, reader.byteCount
    )
  }

  /// The line of the record that came last.
  var line: Int { reader.line }

  /// Saves everything from the line on, until it is asked to stop: then what came before.
  ///
  /// - Returns: Whether the end was reached.
  /// - Throws: ``IngestProblem`` for a line that is no sample, and errors of reading and saving.
  ///   ``resume`` tells where to go on.
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
      // The line of the reader may be one of which only the beginning has come.
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
    case .sample(let sample, let owned, let subject):
      if deleted.contains(sample.uuid) { try commit(through: reader.line) }
      writer.use(subject: subject)
      do {
        try writer.add(sample, owning: owned)
        waitingBytes += ([sample] + owned).reduce(0) { $0 + $1.extras.count }
      } catch {
        // Of a sample whose rows make no sense some may wait by now.
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

  /// Saves what waits, of lines before one.
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
