import Foundation

/// The number and a checksum of the rows read, in order unless stated otherwise.
///
/// Two peers with equal results have equal digests.
package struct Digest: Equatable, Codable, Sendable {
  package private(set) var count = 0
  /// The number of deletions among them.
  package private(set) var deletions = 0
  package private(set) var checksum = Checksum()

  /// Whether the order of rows matters.
  private var isOrdered = true

  package init() {}

  /// Makes a digest of rows in any order.
  static var ofRowsInAnyOrder: Digest {
    var digest = Digest()
    digest.isOrdered = false
    return digest
  }

  /// Adds a row with all its fields, and the length of its metadata.
  @inline(__always)
  mutating func add(_ row: borrowing BenchmarkRow) {
    count += 1
    if isOrdered {
      checksum.fold(row)
    } else {
      var own = Checksum()
      own.fold(row)
      checksum.add(own)
    }
  }

  /// Adds the deletion of a sample, with the deletion's own sequence number.
  @inline(__always)
  mutating func add(deletionOf identifier: StreamIdentifier, sequence: UInt64) {
    count += 1
    deletions += 1
    checksum.fold(sequence)
    checksum.fold(identifier.high)
  }

  /// Adds the identifier, start and value of an object.
  @inline(__always)
  mutating func add(_ uuid: UUID, start: Date, value: Double) {
    count += 1
    let bytes = uuid.uuid
    checksum.fold(withUnsafeBytes(of: bytes) { $0.loadUnaligned(as: UInt64.self) })
    checksum.fold(start.timeIntervalSinceReferenceDate.bitPattern)
    checksum.fold(value.bitPattern)
  }

  /// Adds a day's aggregate.
  mutating func add(_ day: DailyAggregate) {
    count += day.count
    checksum.fold(UInt64(bitPattern: day.day))
    checksum.fold(UInt64(day.count))
    checksum.fold(day.sum.bitPattern)
    checksum.fold(day.minimum.bitPattern)
    checksum.fold(day.maximum.bitPattern)
  }

  /// Adds an interval's sum, rounded to a thousandth, because stores add in different orders.
  mutating func add(_ interval: IntervalSum) {
    count += 1
    checksum.fold(UInt64(bitPattern: interval.start))
    // Adding 0 turns a negative zero into zero.
    checksum.fold(((interval.sum * 1000).rounded() + 0).bitPattern)
  }

  /// Adds a total.
  mutating func add(_ total: SampleTotal) {
    count += total.count
    checksum.fold(UInt64(total.count))
    checksum.fold(total.sum.bitPattern)
  }

  /// Adds a day's statistics.
  mutating func add(_ day: DailyAverage) {
    count += 1
    checksum.fold(UInt64(bitPattern: day.day))
    checksum.fold(day.average.bitPattern)
    checksum.fold(day.minimum.bitPattern)
    checksum.fold(day.maximum.bitPattern)
  }
}

extension Checksum {
  /// Folds a row with all its fields, and the length of its metadata.
  @inline(__always)
  fileprivate mutating func fold(_ row: borrowing BenchmarkRow) {
    fold(row.sequence)
    let codes = UInt64(row.type) | UInt64(row.source) << 8 | UInt64(row.device) << 16
    let more = UInt64(row.unit) << 24 | UInt64(row.metadata.count) << 32
    fold(codes | more | UInt64(row.subject) << 40)
    fold(UInt64(bitPattern: row.start))
    fold(UInt64(bitPattern: row.end))
    fold(row.value.bitPattern)
    fold(row.identifier.high)
    fold(row.identifier.low)
  }
}
