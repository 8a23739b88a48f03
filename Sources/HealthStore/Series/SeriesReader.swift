import Foundation
import SampleLog

/// Reads the points of one stored sample, chunk by chunk.
///
/// It sees what the store had when it was made, and holds one chunk at a time.
struct SeriesReader: Sendable {
  private let snapshot: Snapshot
  private let owner: RowReference
  private let layout: PointLayout
  private var number: UInt64 = 0
  /// How many points are to be read yet.
  private(set) var remaining: Int

  /// Finds the points of a sample, in the newest snapshot unless there is one; a quantity sample of
  /// one value has none.
  ///
  /// - Throws: `errorInvalidArgument` when the store does not have the sample,
  ///   `errorAuthorizationNotDetermined` when nobody was asked about its type.
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

  /// Reads the points that a row of a kind of samples owns.
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

  /// When the sample starts, in seconds since the reference date.
  var start: Double { owner.block.start[owner.row] }

  /// When the sample ends, in seconds since the reference date.
  var end: Double { owner.block.end[owner.row] }

  /// The error that says what is wrong with the points, and in which file.
  func damage(_ reason: String) -> StoreError { snapshot.damaged(owner, reason) }

  /// Reads the next chunk; `nil` after the last.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when points are missing or not what they
  ///   should be.
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
