public import HealthStore
import Foundation

/// An importer that adds the samples of an Apple Health export to a store.
///
/// ```swift
/// let importer = try ExportImporter(into: HKHealthStore(directory: directory))
/// let summary = try importer.run(ExportReader(ExportSource.open(path)))
/// ```
///
/// - Imports are idempotent. Apple's exports contain no identifiers, so an import derives them from
///   the content of a sample, not from its text: importing a file again, or a later export of the
///   same phone in other units or words, adds only new samples. The identifiers of a named subject
///   depend on its name. A sample that was deleted from the store is added again if its export is
///   imported again.
/// - Values keep the unit of the file, so that the stored numbers are exactly those of the file.
/// - Exports contain no bundle identifiers of sources; the name of the source is used instead.
/// - Metadata values have the type that HealthKit documents for their key. A sample with a sync
///   identifier replaces an older version, as when it is saved.
/// - HealthKit's limits for new samples (longest duration, mandatory metadata) are not applied.
/// - Blood pressures and foods become correlations of their members.
/// - Quantities and categories of types unknown to this version are stored unchanged: queries of
///   this version cannot name them, but those of a later version may. An unknown category value is
///   stored as -1, with its name in the metadata.
/// - The characteristics of the subject are set if the export contains them.
/// - Activity summaries are set as whole days, which then have the values of the export, regardless
///   of the samples in the store.
/// - Workouts keep the statistics of the export, because it does not link them to samples. Effort
///   scores inside a workout are related to it.
/// - Routes are read from the GPX files of the export, including those that no workout references.
/// - The heartbeats of a heart rate variability become a heartbeat series with the same source and
///   time.
/// - Clinical records keep the unmodified JSON of their files. Their display names come from the
///   JSON, because exports contain none.
/// - Prescriptions for glasses and contact lenses have no source in an export. Their dates are
///   days, which start at midnight UTC.
/// - An export written by ``ExportWriter`` restores the original store: objects keep their
///   identifiers, and sync identifiers replace the same objects.
/// - Data that is invalid or that the store cannot represent is skipped and reported in
///   ``ImportSummary``, including files.
///
/// Memory use does not depend on the size of the export, except for about 16 bytes of identity per
/// record (32 if the subject already has samples). It does not depend on its content either: items
/// that exceed an ``ExportLimit``, and names beyond what an import may add to a store, are skipped
/// and reported, and everything else is imported.
public final class ExportImporter {
  private static let batchSize = 4096
  /// The maximum bytes of metadata that wait for a commit.
  private static let mostWaitingBytes = 16 << 20
  /// The maximum number of members in a correlation, which is far below the store's limit.
  static let mostMembers = 65_536

  private let store: HKHealthStore
  var writer: RowWriter
  var identities: ImportIdentities
  let scope: SubjectScope
  var converter = RecordConverter()
  private var characteristics = ExportCharacteristics()
  private var days = ExportActivitySummaries()
  /// The result so far; complete when `run` has returned or has thrown ``ExportError``.
  public internal(set) var summary = ImportSummary()
  /// The items that wait for later items of the file, and the members read before their copies.
  var waiting = WaitingItems()
  var waitingBytes = 0
  /// The error of a failed lookup in the store, which ends the import.
  var failure: (any Error)?

  /// The files that accompany the document, and the names of those that were read.
  var files = ExportFiles.none
  var readFiles: Set<String> = []

  /// The last object with attributes of this library, its child rows, and the settings to save.
  var lastStored: StoredSample?
  var lastStoredOffset: Int64 = 0
  var lastChildren: [StoredSample] = []
  var settings: [StoredSetting] = []

  /// The minimum likeness at which a stored sample matches an imported one.
  var least = Likeness.equal
  /// The sync identity of the correlation whose members are being imported.
  var correlationIdentity: SyncIdentity?
  /// The records inside other elements, and those at top level imported before a possible copy.
  var parts = OccurrenceTable()
  var released = ReleasedTable()
  /// The effort scores in workouts, by the key of their contents.
  var efforts: [UInt64: UUID] = [:]

  /// Creates an importer of one export.
  ///
  /// - Parameter store: The destination store; samples become data of its subject.
  /// - Throws: An error if the store cannot be opened.
  public init(into store: HKHealthStore) throws {
    self.store = store
    writer = try RowWriter(store)
    scope = SubjectScope(store.subject)
    identities = ImportIdentities(isNewSubject: writer.isNewSubject())
  }

  /// Reads an export to its end and saves its samples in batches.
  ///
  /// Blocks the calling thread. Use an importer once.
  ///
  /// - Parameters:
  ///   - reader: A reader at its start; its progress reports cover the whole import.
  ///   - files: The other files of the export, as returned by
  ///     ``ExportSource/contents(of:isCancelled:)``.
  ///   - isCancelled: Called between objects. Returning true saves what was read and ends the
  ///     import.
  /// - Returns: The result of the import. A truncated export is not an error; see
  ///   ``ExportSummary/end``.
  /// - Throws: ``ExportError`` if reading fails, or ``ExportError/cancelled``; everything read
  ///   before is saved, and ``summary`` describes it. Otherwise an error of the store; batches
  ///   committed before remain. Importing the same export again completes the work.
  public func run(
    _ reader: ExportReader, files: ExportFiles = .none, isCancelled: () -> Bool = { false }
  ) throws -> ImportSummary {
    self.files = files
    while true {
      let item: ExportItem?
      do {
        item = try reader.next()
      } catch .cancelled {
        try commit()
        throw ExportError.cancelled
      } catch {
        try finish(reader)
        throw error
      }
      guard let item else { break }
      // An object and its child rows are committed together.
      if !item.belongsToLast {
        addLastStored()
        try commitIfFull()
        if isCancelled() {
          try commit()
          throw ExportError.cancelled
        }
      }
      try take(item, at: reader.itemOffset)
      noteRepeated(at: reader.itemOffset)
      if let failure { throw failure }
    }
    try finish(reader)
    return summary
  }

  private func finish(_ reader: ExportReader) throws {
    addLastStored()
    try takeWaiting()
    try takeRemainingFiles()
    if let failure { throw failure }
    try commit()
    try characteristics.save(to: store)
    try saveDays()
    try saveSettings()
    summary.characteristics = characteristics.count
    summary.reading = reader.summary
    summary.metadataKeptAsText = converter.keptAsText
  }

  private func take(_ item: ExportItem, at offset: Int64) throws {
    switch item {
    case .locale: break
    case .exportDate(let date): summary.exportDate = date
    case .record(let record): take(record, at: offset)
    case .correlation(let correlation): take(correlation, at: offset)
    case .characteristics(let entries):
      let (left, problems) = characteristics.take(entries)
      if left > 0 { summary.noteUnrepresented("characteristics", count: left, at: offset) }
      for problem in problems { summary.note(problem, at: offset) }
    case .workout(let workout): take(workout, at: offset)
    case .activitySummary(let day):
      note(at: offset) { () throws(ImportRejection) in try days.take(day) }
      if days.isFull { try saveDays() }
    case .clinicalRecord(let entries): take(clinicalRecord: entries, at: offset)
    case .audiogram(let audiogram): take(audiogram, at: offset)
    case .visionPrescription(let prescription): take(prescription, at: offset)
    case .stored(let item): take(item, at: offset)
    }
    if waiting.isFull { try takeWaiting() }
  }

  /// Imports the waiting items, those with the greatest likeness to stored samples first.
  ///
  /// - Throws: An error of the store.
  private func takeWaiting() throws {
    try takeDeferred()
    // Records whose correlation or workout was not read.
    for (record, offset) in waiting.takeHeld() {
      try commitIfFull()
      take(record, at: offset, isAgain: true)
      noteRepeated(at: offset)
    }
    try takeDeferred()
  }

  private func takeDeferred() throws {
    defer { least = .equal }
    for likeness in [Likeness.close, .distant] {
      least = likeness
      for (item, offset) in waiting.takeDeferred() {
        try commitIfFull()
        switch item {
        case .record(let record): take(record, at: offset, isAgain: true)
        case .correlation(let correlation): take(correlation, at: offset)
        case .workout(let workout): take(workout, at: offset)
        default: break
        }
        noteRepeated(at: offset)
      }
    }
  }

  /// Reports the metadata keys with several values in the imported item.
  private func noteRepeated(at offset: Int64) {
    for problem in converter.takeRepeated() { summary.note(problem, at: offset) }
  }

  private func saveDays() throws { summary.activitySummaries += try days.save(to: store) }

  func importSettings(_ settings: [StoredSetting]) throws { try store.importSettings(settings) }

  func add(_ sample: IncomingSample, at offset: Int64) {
    do {
      try writer.add(sample)
    } catch let error as HKInvalidSampleError {
      summary.note(
        .unstorable(type: sample.type, reason: error.description), at: offset)
    } catch {
      failure = failure ?? error
    }
  }

  func commitIfFull() throws {
    if writer.count >= Self.batchSize || waitingBytes >= Self.mostWaitingBytes { try commit() }
  }

  private func commit() throws {
    waitingBytes = 0
    let outcome = try writer.commit()
    for type in outcome.added { summary.types[type, default: .init()].added += 1 }
    for type in outcome.known { summary.types[type, default: .init()].known += 1 }
    // The store has the same or a later version.
    for type in outcome.supersededTypes {
      summary.types[type, default: .init()].added -= 1
      summary.types[type, default: .init()].known += 1
    }
  }
}

extension [ExportEntry] {
  var byteCount: Int { reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } }
}
