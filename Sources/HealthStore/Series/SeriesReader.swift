import Foundation
import SampleLog

/// Reads the points of one stored sample, chunk by chunk.
///
/// The reader uses one snapshot and holds one chunk at a time.
struct SeriesReader: Sendable {
  private let snapshot: Snapshot
  private let parent: Row
  private let layout: PointLayout
  private var number: UInt64 = 0
  /// The number of points that remain to be read.
  private(set) var remaining: Int

  /// Opens the points of a row with a payload of a type.
  init(_ row: Row, _ type: any SeriesPayload.Type, _ snapshot: Snapshot) throws {
    self.snapshot = snapshot
    parent = row
    layout = type.layout
    remaining = try Self.count(type, of: row, in: snapshot)
  }

  private static func count<Payload: SeriesPayload>(
    _ type: Payload.Type, of row: Row, in snapshot: Snapshot
  ) throws -> Int {
    if !type.isRequired, try snapshot.extras(of: row).payloadKind == 0 { return 0 }
    return try snapshot.payload(type, of: row).count
  }

  /// The start of the sample, in seconds since the reference date.
  var start: Double { parent.block.start[parent.row] }

  /// The end of the sample, in seconds since the reference date.
  var end: Double { parent.block.end[parent.row] }

  /// Returns an error that describes damaged points and names their file.
  func damage(_ reason: String) -> StoreError { snapshot.damaged(parent, reason) }

  /// Returns the next chunk, or nil after the last.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if points are missing or invalid.
  mutating func next() throws -> PointChunk? {
    guard remaining > 0 else { return nil }
    let chunk = try snapshot.payload(PointChunk.self, number: number, of: parent)
    guard let chunk, chunk.layout == layout, chunk.count <= remaining else {
      throw damage("points that are missing")
    }
    number += 1
    remaining -= chunk.count
    return chunk
  }
}
