public import Foundation
import SampleLog

/// What a store has of one person.
///
/// Our addition.
public struct PersonSummary: Hashable, Sendable {
  /// The person, as ``HealthDatabase/store(subject:)`` takes it.
  public let subject: String
  /// How many samples there are.
  public let sampleCount: Int
  /// How many bytes they take in files of the store that are closed; what was saved lately takes
  /// none yet.
  public let byteCount: Int
  /// When the first sample starts.
  public let firstDate: Date
  /// When the last sample to end ends.
  public let lastDate: Date
}

extension HealthDatabase {
  /// Returns the people who have samples, in the order of their names' bytes.
  ///
  /// Those of whom there are only settings, such as characteristics, are none of them. Names are
  /// compared byte by byte: two spellings of one character are two people.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` when the store is closed or cannot be
  ///   read.
  /// - Complexity: Linear in everybody's blocks; rows are read only where samples were deleted.
  public func people() async throws -> [PersonSummary] {
    try await store().value { open, _ in
      let database = open.database
      return try database.snapshot().subjects().map { one in
        PersonSummary(
          subject: database.symbols.text(one.subject), sampleCount: one.sampleCount,
          byteCount: one.byteCount,
          firstDate: Date(timeIntervalSinceReferenceDate: one.firstStart),
          lastDate: Date(timeIntervalSinceReferenceDate: one.lastEnd))
      }
    }
  }

  /// Erases everything of a person: samples, what is known of deleted ones, characteristics and
  /// other settings, and background deliveries.
  ///
  /// When it returns, no query finds any of it. Queries of the person that run, and anchors that
  /// were stored before, end with an error with `errorNoData`, below which is the engine's
  /// `StoreError.erased`; other people's go on. The bytes are gone from the store's files after
  /// ``HKHealthStore/compact()``, and stay in backups that were made before. The person's name is
  /// kept with the record of the erasure for as long as deleted objects are. The name may be used
  /// again.
  ///
  /// - Parameter subject: Who is erased; compared byte by byte.
  /// - Returns: How many samples were erased, once that is durable.
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` when the store cannot be written to or
  ///   the person's samples cannot be read; nothing is erased then.
  @discardableResult
  public func erase(subject: String) async throws -> Int {
    try await store().value { open, _ in
      try open.checkWritable()
      let subject = open.database.symbols.intern(subject)
      return try open.deliveries().erase(subject).sampleCount
    }
  }
}
