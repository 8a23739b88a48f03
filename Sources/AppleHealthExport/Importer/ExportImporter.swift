public import HealthStore
import Foundation

/// Brings the samples of an Apple Health export into a store.
///
/// ```swift
/// let importer = try ExportImporter(into: HKHealthStore(directory: directory))
/// let summary = try importer.run(ExportReader(ExportSource.open(path)))
/// ```
///
/// - Apple's exports have no identifiers. They follow from what a sample is, not from how a file
///   writes it, so that reading a file again, or a later one of the same phone in other units or
///   words, adds what is new and nothing else. In a store of several people's data the subject
///   takes part in them. A sample that was deleted from the store comes back when its export is
///   read again.
/// - Values stay in the unit of the file, so that they are the file's numbers exactly.
/// - Exports name sources without their bundle identifier; the name stands in for it.
/// - Metadata becomes what HealthKit says its key holds. A sample with a sync identifier replaces
///   an older version of it, as one that is saved does.
/// - HealthKit's limits for new samples (longest duration, mandatory metadata) are not applied.
/// - Blood pressures and foods become correlations of their members.
/// - Quantities and categories of types that this version does not know are stored as they are:
///   this version's queries cannot name them, a later one's may. A value of a category that it does
///   not know has the number -1, and its name as metadata.
/// - The characteristics of the person are set where the export has them.
/// - Activity summaries are set as whole days, which then say what the export says, whatever
///   samples there are.
/// - Workouts keep the summary of the export as their statistics, since it does not say which
///   samples belong to them. Effort scores inside them rate them.
/// - Routes come from the GPX files of the export, also those that no workout names.
/// - The heartbeats of a heart rate variability become a heartbeat series of its source and time.
/// - Clinical records keep the JSON of their files as it is. Exports have no names for them, which
///   come from the JSON.
/// - Prescriptions of glasses and contact lenses have no source in an export, and days for dates,
///   which begin in UTC.
/// - An export that ``ExportWriter`` made becomes the store that it was made of: objects keep their
///   identifiers, and a sync identifier replaces what it did there.
/// - What the store cannot hold and what cannot be understood is left out, counted and named in
///   ``ImportSummary``, files included.
///
/// Memory does not depend on the export's size but for the identities, about 16 bytes a record (32
/// into a subject that has samples), nor on what is in it: an item above an ``ExportLimit`` and
/// names above what an import may add to a store are left out, counted and named, and everything
/// else is brought over.
public final class ExportImporter {
  private static let batchSize = 4096
  /// The bytes of metadata that wait for a commit.
  private static let mostWaitingBytes = 16 << 20
  /// What is together in a correlation, and far from what the store can hold of one.
  static let mostMembers = 65_536

  private let store: HKHealthStore
  var writer: RowWriter
  var identities: ImportIdentities
  let scope: SubjectScope
  var converter = RecordConverter()
  private var characteristics = ExportCharacteristics()
  private var days = ExportActivitySummaries()
  /// What was done so far; complete when `run` returned, or threw ``ExportError``.
  public internal(set) var summary = ImportSummary()
  /// The items that wait for others of the file, and members that came before their copies.
  var waiting = WaitingItems()
  var waitingBytes = 0
  /// Why the store could not be read while a sample was looked up; ends the import.
  var failure: (any Error)?

  /// The files beside the document that is being read, and those that it named.
  var files = ExportFiles.none
  var readFiles: Set<String> = []

  /// The last object of this library's own, what belongs to it, and the settings that wait.
  var lastStored: StoredSample?
  var lastStoredOffset: Int64 = 0
  var lastOwned: [StoredSample] = []
  var settings: [StoredSetting] = []

  /// The least likeness at which a stored sample is taken for an imported one.
  var least = Likeness.equal
  /// The sync identity of the correlation whose members are taken.
  var correlationIdentity: SyncIdentity?
  /// The records inside others, and those that may have been but were taken without them.
  var parts = OccurrenceTable()
  var released = ReleasedTable()
  /// The effort scores in workouts, by what they say.
  var efforts: [UInt64: UUID] = [:]

  /// An importer of one export.
  ///
  /// - Parameter store: Where samples go, as data of its subject.
  /// - Throws: An error when the store cannot be opened.
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
  ///   - reader: A reader at its start; its progress reports tell how far the work is.
  ///   - files: The other files of the export, as ``ExportSource/contents(of:isCancelled:)``
  ///     returns them.
  ///   - isCancelled: Asked between objects; true saves what was read and ends the work.
  /// - Returns: What was done. A truncated export is no error: ``ExportSummary/end`` tells.
  /// - Throws: ``ExportError`` when the export cannot be read on, ``ExportError/cancelled`` when
  ///   asked to stop; what came before is saved then,
  ///   and ``summary`` says what that is. Or an error of the store: batches saved before stay.
  ///   Reading the same export again completes the work.
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
      // An object and what belongs to it are saved together.
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

  /// Takes the items that wait: those first that the store has in nearly the same form.
  ///
  /// - Throws: An error of the store.
  private func takeWaiting() throws {
    try takeDeferred()
    // Those whose correlation or workout did not come.
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

  /// Notes the metadata keys with several values in the item that was taken.
  private func noteRepeated(at offset: Int64) {
    for problem in converter.takeRepeated() { summary.note(problem, at: offset) }
  }

  private func saveDays() throws { summary.activitySummaries += try days.save(to: store) }

  func importSettings(_ settings: [StoredSetting]) throws { try store.importSettings(settings) }

  func add(_ sample: ImportedSample, at offset: Int64) {
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
