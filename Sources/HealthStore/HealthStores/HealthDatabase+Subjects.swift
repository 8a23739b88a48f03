public import Foundation
import SampleLog

/// Statistics about one subject's samples.
///
/// This is an addition to HealthKit.
public struct SubjectSummary: Hashable, Sendable {
  /// The subject's name, as passed to ``HealthDatabase/store(subject:)``.
  public let subject: String
  /// The number of samples.
  public let sampleCount: Int
  /// The size of the samples in sealed files, in bytes.
  ///
  /// Recently saved samples are not included yet.
  public let byteCount: Int
  /// The earliest start date of a sample.
  public let firstDate: Date
  /// The latest end date of a sample.
  public let lastDate: Date
}

/// The result of renaming or merging a subject.
///
/// This is an addition to HealthKit.
public struct SubjectMove: Hashable, Sendable {
  /// The number of moved samples.
  public let sampleCount: Int
  /// The number of samples that were not moved, because the other subject has the same or a later
  /// version under their sync identifier.
  public let supersededCount: Int
  /// The number of the other subject's samples that were replaced by a later version.
  public let replacedCount: Int
}

extension HealthDatabase {
  /// Returns the subjects that have samples, in byte order of their names.
  ///
  /// Subjects that have only settings, such as characteristics, are not included. Names are
  /// compared byte by byte: two encodings of the same character denote two subjects.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the store is closed or cannot be
  ///   read.
  /// - Complexity: Linear in the number of blocks of all subjects. Rows are read only from blocks
  ///   with deleted samples.
  public func subjects() async throws -> [SubjectSummary] {
    try await store().value { open, _ in
      let database = open.database
      return try database.snapshot().subjects().map { one in
        SubjectSummary(
          subject: database.symbols.text(one.subject), sampleCount: one.sampleCount,
          byteCount: one.byteCount,
          firstDate: Date(timeIntervalSinceReferenceDate: one.firstStart),
          lastDate: Date(timeIntervalSinceReferenceDate: one.lastEnd))
      }
    }
  }

  /// Erases all data of a subject: samples, records of deleted samples, characteristics and other
  /// settings, and background deliveries.
  ///
  /// Once this returns, queries find none of the data. The subject's running queries and stored
  /// anchors end with `errorNoData`, with the engine's `StoreError.erased` as the underlying
  /// error; other subjects are not affected. The next ``compact(progress:)`` removes the
  /// bytes from the store's files; earlier backups keep them. The record of the erasure includes
  /// the subject's name and is retained for as long as records of deleted objects are. The name
  /// can be reused.
  ///
  /// - Parameter subject: The subject to erase; compared byte by byte.
  /// - Returns: The number of erased samples, once the erasure is durable.
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the store cannot be written to or
  ///   the subject's samples cannot be read; in that case, nothing is erased.
  @discardableResult
  public func erase(subject: String) async throws -> Int {
    try await store().changing { open, _ in
      try open.checkWritable()
      let subject = open.database.symbols.intern(subject)
      return try open.deliveries().erase(subject).sampleCount
    }
  }

  /// Renames a subject.
  ///
  /// Samples keep their identifiers and all other fields. Characteristics, other settings and
  /// records of deletions move too; background deliveries do not. Subscribers see an erasure of
  /// the old name, as by ``erase(subject:)``, and new samples under the new name: queries and
  /// anchors of the old name end with `errorNoData`. The rename is atomic, even if the process
  /// crashes.
  ///
  /// - Parameters:
  ///   - subject: The current name. Names are compared byte by byte.
  ///   - name: The new name, which must have no data.
  /// - Returns: The result of the move, once it is durable.
  /// - Throws: ``HKError`` with `errorInvalidArgument` if the new name has data, or with
  ///   `errorDatabaseInaccessible` if the store cannot be written to, the samples cannot be read,
  ///   or they exceed the limit of one commit: four million samples or one gibibyte.
  /// - Complexity: Time and memory linear in the number of the subject's samples. Saves block
  ///   until it is done.
  @discardableResult
  public func rename(subject: String, to name: String) async throws -> SubjectMove {
    try await move(subject, to: name, isNew: true)
  }

  /// Merges all data of one subject into another, which may already have samples.
  ///
  /// Works like ``rename(subject:to:)``, with these conflict rules: of two samples of a type with
  /// the same sync identifier, the later version is kept; settings of the other subject take
  /// precedence. A sample that one subject has is kept even if the other subject deleted its
  /// counterpart.
  ///
  /// - Parameters:
  ///   - subject: The subject to merge, which no longer exists afterwards. Names are compared byte
  ///     by byte.
  ///   - other: The subject that receives the data.
  /// - Returns: The result of the move, once it is durable.
  /// - Throws: The same errors as ``rename(subject:to:)``.
  @discardableResult
  public func merge(subject: String, into other: String) async throws -> SubjectMove {
    try await move(subject, to: other, isNew: false)
  }

  private func move(_ subject: String, to other: String, isNew: Bool) async throws -> SubjectMove {
    try await store().changing { open, _ in
      try open.checkWritable()
      let symbols = open.database.symbols
      let (from, to) = (symbols.intern(subject), symbols.intern(other))
      let result = try open.deliveries().move(from, to: to, isNew: isNew)
      return SubjectMove(
        sampleCount: result.sampleCount, supersededCount: result.superseded,
        replacedCount: result.replaced)
    }
  }
}
