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

/// What making one person's data another's did.
///
/// Our addition.
public struct PersonMove: Hashable, Sendable {
  /// How many samples have moved.
  public let sampleCount: Int
  /// How many samples stayed away, because the other person has the same or a later version under
  /// their sync identifier.
  public let supersededCount: Int
  /// How many samples of the other person a later version has replaced.
  public let replacedCount: Int
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
    try await store().changing { open, _ in
      try open.checkWritable()
      let subject = open.database.symbols.intern(subject)
      return try open.deliveries().erase(subject).sampleCount
    }
  }

  /// Gives a person another name.
  ///
  /// Samples keep their identifiers and everything else; characteristics, other settings and
  /// remembered deletions move along, background deliveries do not. To subscribers of changes it is
  /// an erasure of the old name, as by ``erase(subject:)``, and new samples of the new one: queries
  /// and anchors of the old name end with `errorNoData`. It happens at once or, if the process ends
  /// before, not at all.
  ///
  /// - Parameters:
  ///   - subject: The old name. Names are compared byte by byte.
  ///   - name: The new one, of which there must be nothing.
  /// - Returns: What has moved, once that is durable.
  /// - Throws: ``HKError`` with `errorInvalidArgument` when there is something of the new name, and
  ///   with `errorDatabaseInaccessible` when the store cannot be written to, the samples cannot be
  ///   read, or they are more than one commit can have: four million, or a gibibyte.
  /// - Complexity: Time and memory linear in the person's samples; saves wait meanwhile.
  @discardableResult
  public func rename(subject: String, to name: String) async throws -> PersonMove {
    try await move(subject, to: name, isNew: true)
  }

  /// Makes all that one person has another's, who may have samples already.
  ///
  /// As ``rename(subject:to:)``, but of samples of a type under one sync identifier the later
  /// version stays, and of settings those of the other person. A sample that one of both has
  /// although the other's was deleted before stays.
  ///
  /// - Parameters:
  ///   - subject: Who is no more afterwards. Names are compared byte by byte.
  ///   - other: Whose the samples are then.
  /// - Returns: What has moved, once that is durable.
  /// - Throws: What ``rename(subject:to:)`` throws.
  @discardableResult
  public func merge(subject: String, into other: String) async throws -> PersonMove {
    try await move(subject, to: other, isNew: false)
  }

  private func move(_ subject: String, to other: String, isNew: Bool) async throws -> PersonMove {
    try await store().changing { open, _ in
      try open.checkWritable()
      let symbols = open.database.symbols
      let (from, to) = (symbols.intern(subject), symbols.intern(other))
      let result = try open.deliveries().move(from, to: to, isNew: isNew)
      return PersonMove(
        sampleCount: result.sampleCount, supersededCount: result.superseded,
        replacedCount: result.replaced)
    }
  }
}
