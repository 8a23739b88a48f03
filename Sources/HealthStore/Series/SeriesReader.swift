import Foundation
import SampleLog

/// Reads the points of one stored sample, chunk by chunk.
///
/// The reader uses one snapshot and holds one chunk at a time.
struct SeriesReader: Sendable {
  private let snapshot: Snapshot
  private let owner: RowReference
  private let layout: PointLayout
  private var number: UInt64 = 0
  /// The number of points that remain to be read.
  private(set) var remaining: Int

  /// Opens the points of a sample in a snapshot, by default the newest.
  ///
  /// A quantity sample with a single value has no points.
  ///
  /// - Throws: `errorInvalidArgument` if the sample is not in the store,
  ///   `errorAuthorizationNotDetermined` if authorization for its type was never requested.
  init(_ sample: HKSample, _ reader: StoreReader, in snapshot: Snapshot? = nil) throws {
    try reader.check()
    try reader.access?.check(sample.sampleType)
    let snapshot = snapshot ?? reader.store.database.snapshot()
    guard let row = try snapshot.row(Identifier(sample.uuid)),
      row.subject == reader.subject,
      reader.access?.admits(row, sample.sampleType) ?? true
    else {
      throw HKError.make(
        .errorInvalidArgument,
        "The store does not have the \(type(of: sample)) \(sample.uuid); save it first.")
    }
    try self.init(row, sample.sampleKind, snapshot)
  }

  /// Opens the points of a row that holds a kind of sample.
  init(_ row: RowReference, _ kind: SampleKind, _ snapshot: Snapshot) throws {
    guard let type = kind.payload as? any SeriesPayload.Type else {
      throw HKError.make(.errorInvalidArgument, "Samples of this kind hold no series.")
    }
    self.snapshot = snapshot
    owner = row
    layout = type.layout
    remaining = try Self.count(type, of: row, in: snapshot)
  }

  private static func count<Payload: SeriesPayload>(
    _ type: Payload.Type, of row: RowReference, in snapshot: Snapshot
  ) throws -> Int {
    if !type.isRequired, try snapshot.extras(of: row).payloadKind == 0 { return 0 }
    return try snapshot.payload(type, of: row).count
  }

  /// The start of the sample, in seconds since the reference date.
  var start: Double { owner.block.start[owner.row] }

  /// The end of the sample, in seconds since the reference date.
  var end: Double { owner.block.end[owner.row] }

  /// Returns an error that describes damaged points and names their file.
  func damage(_ reason: String) -> StoreError { snapshot.damaged(owner, reason) }

  /// Returns the next chunk, or nil after the last.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if points are missing or invalid.
  mutating func next() throws -> PointChunk? {
    guard remaining > 0 else { return nil }
    let chunk = try snapshot.payload(PointChunk.self, number: number, ownedBy: owner)
    guard let chunk, chunk.layout == layout, chunk.count <= remaining else {
      throw damage("points that are missing")
    }
    number += 1
    remaining -= chunk.count
    return chunk
  }
}
