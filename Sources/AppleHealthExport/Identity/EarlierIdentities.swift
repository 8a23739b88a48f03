import Foundation

/// The identifiers that earlier versions of this library gave to the samples of an export, by which
/// an import recognises samples that they stored.
///
/// An identifier is a hash of the texts of the file: type, start, end, value, unit, source, device
/// (without its memory address), and the sync identifier, sync version and external UUID of its
/// metadata. The n-th occurrence of a content in one file has number n. A record inside a
/// correlation is also written at top level; its occurrences are counted apart.
///
/// Pass every item once, in file order. Memory: see `OccurrenceTable`, about 16 bytes a record.
struct EarlierIdentities: Sendable {
  private var topLevel = OccurrenceTable()
  private var members = OccurrenceTable()
  private var message: [UInt8] = []

  /// Starts a file.
  init() {}

  /// The identifier of a record at top level.
  ///
  /// - Parameter record: The next record.
  /// - Returns: Its identifier.
  mutating func uuid(of record: ExportRecord) -> UUID {
    let hash = content(of: record)
    return Self.identifier(hash, occurrence: topLevel.count(hash))
  }

  /// The identifiers of a correlation and of the records in it, in their order.
  ///
  /// - Parameter correlation: The next correlation.
  /// - Returns: Its identifier, and those that the same records have at top level.
  mutating func uuids(
    of correlation: ExportCorrelation
  ) -> (correlation: UUID, records: [UUID]) {
    let contents = correlation.records.map { content(of: $0) }
    let records = contents.map { Self.identifier($0, occurrence: members.count($0)) }
    begin(2)
    add(correlation.origin, correlation.metadata)
    add(1, correlation.type)
    add(correlation.startDate, correlation.endDate)
    // What is in a correlation is a set.
    for hash in contents.sorted(by: { ($0.high, $0.low) < ($1.high, $1.low) }) {
      add(16, hash.low)
      add(16, hash.high)
    }
    let hash = finish()
    return (Self.identifier(hash, occurrence: topLevel.count(hash)), records)
  }

  /// The identifier of a workout.
  ///
  /// - Parameter workout: The next workout.
  /// - Returns: Its identifier.
  mutating func uuid(of workout: ExportWorkout) -> UUID {
    begin(3)
    add(workout.origin, workout.metadata)
    add(1, workout.activityType)
    add(workout.startDate, workout.endDate)
    let hash = finish()
    return Self.identifier(hash, occurrence: topLevel.count(hash))
  }

  /// The identifier of a route, an electrocardiogram, a heartbeat series or a hearing test.
  ///
  /// - Parameters:
  ///   - type: The type identifier.
  ///   - origin: Who wrote it.
  ///   - start: The time of its first point.
  ///   - end: The time of its last point.
  ///   - count: The number of its points.
  /// - Returns: Its identifier.
  mutating func uuid(
    ofSeries type: String, _ origin: ExportOrigin, _ start: Date, _ end: Date, count: Int
  ) -> UUID {
    begin(4)
    add(origin, [])
    add(1, type)
    add(start, end)
    add(11, UInt64(count))
    let hash = finish()
    return Self.identifier(hash, occurrence: topLevel.count(hash))
  }

  /// The identifier of what texts say everything of.
  ///
  /// - Parameters:
  ///   - type: The type identifier.
  ///   - texts: Its texts, in an order that never changes.
  /// - Returns: Its identifier.
  mutating func uuid(ofType type: String, _ texts: [String?]) -> UUID {
    begin(5)
    add(1, type)
    for (index, text) in texts.enumerated() {
      add(12, UInt64(index))
      add(13, text)
    }
    let hash = finish()
    return Self.identifier(hash, occurrence: topLevel.count(hash))
  }

  private mutating func content(of record: ExportRecord) -> SipHash128.Output {
    begin(1)
    add(record.origin, record.metadata)
    add(1, record.type)
    add(record.startDate, record.endDate)
    add(2, record.value)
    add(3, record.unit)
    return finish()
  }

  private mutating func add(_ origin: ExportOrigin, _ metadata: [ExportEntry]) {
    add(4, origin.sourceName)
    add(5, origin.device)
    for entry in metadata {
      switch entry.key {
      case "HKMetadataKeySyncIdentifier": add(6, entry.value)
      case "HKMetadataKeySyncVersion": add(7, entry.value)
      case "HKExternalUUID": add(8, entry.value)
      default: break
      }
    }
  }

  private mutating func add(_ start: Date, _ end: Date) {
    add(9, start.timeIntervalSinceReferenceDate.bitPattern)
    add(10, end.timeIntervalSinceReferenceDate.bitPattern)
  }

  /// `kind` keeps records, correlations and workouts apart, the version the rules themselves.
  private mutating func begin(_ kind: UInt8) {
    message.removeAll(keepingCapacity: true)
    message.append(contentsOf: [1, kind])
  }

  /// Each field has its tag and length, so that no two lists of fields give the same message.
  private mutating func add(_ tag: UInt8, _ text: String?) {
    guard var text else { return }
    text.withUTF8 { bytes in
      message.append(tag)
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: bytes.count).littleEndian) {
        message.append(contentsOf: $0)
      }
      message.append(contentsOf: bytes)
    }
  }

  private mutating func add(_ tag: UInt8, _ word: UInt64) {
    message.append(tag)
    withUnsafeBytes(of: word.littleEndian) { message.append(contentsOf: $0) }
  }

  private func finish() -> SipHash128.Output {
    message.withUnsafeBytes { SipHash128.hash($0, key: SampleIdentity.key) }
  }

  private static func identifier(_ hash: SipHash128.Output, occurrence: UInt32) -> UUID {
    SampleIdentity.identifier(hash, occurrence: occurrence)
  }
}
