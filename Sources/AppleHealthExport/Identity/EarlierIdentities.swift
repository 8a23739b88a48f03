import Foundation

/// The content hashes of earlier library versions, by which an import recognises samples that those
/// versions stored.
///
/// A hash covers texts of the file: type, start, end, value, unit, source, device (without its
/// memory address), and the sync identifier, sync version and external UUID of the metadata. The
/// n-th occurrence of a content in one file has number n. A record inside a correlation also
/// appears at top level; its occurrences are counted separately.
struct EarlierIdentities: Sendable {
  private var message: [UInt8] = []

  init() {}

  /// Returns the content hash of a correlation.
  mutating func content(of correlation: ExportCorrelation) -> SipHash128.Output {
    let contents = correlation.records.map { content(of: $0) }
    begin(2)
    add(correlation.origin, correlation.metadata)
    add(1, correlation.type)
    add(correlation.startDate, correlation.endDate)
    // A correlation is a set: the order of its records is not significant.
    for hash in contents.sorted(by: { ($0.high, $0.low) < ($1.high, $1.low) }) {
      add(16, hash.low)
      add(16, hash.high)
    }
    return finish()
  }

  /// Returns the content hash of a workout.
  mutating func content(of workout: ExportWorkout) -> SipHash128.Output {
    begin(3)
    add(workout.origin, workout.metadata)
    add(1, workout.activityType)
    add(workout.startDate, workout.endDate)
    return finish()
  }

  /// Returns the content hash of a route, an electrocardiogram, a heartbeat series or a hearing
  /// test, from its first to its last point.
  mutating func content(
    ofSeries type: String, _ origin: ExportOrigin, _ start: Date, _ end: Date, count: Int
  ) -> SipHash128.Output {
    begin(4)
    add(origin, [])
    add(1, type)
    add(start, end)
    add(11, UInt64(count))
    return finish()
  }

  /// Returns the content hash of an item that its texts identify; their order must never change.
  mutating func content(ofType type: String, _ texts: [String?]) -> SipHash128.Output {
    begin(5)
    add(1, type)
    for (index, text) in texts.enumerated() {
      add(12, UInt64(index))
      add(13, text)
    }
    return finish()
  }

  /// Returns the content hash of a record.
  mutating func content(of record: ExportRecord) -> SipHash128.Output {
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

  /// Starts a message with the version of the rules, 1, and with `kind`, so that items of different
  /// kinds never share a hash.
  private mutating func begin(_ kind: UInt8) {
    message.removeAll(keepingCapacity: true)
    message.append(contentsOf: [1, kind])
  }

  /// Appends a field with its tag and length, so that different fields never encode to the same
  /// message.
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
}
