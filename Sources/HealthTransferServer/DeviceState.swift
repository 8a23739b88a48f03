import Foundation
import HealthStore
import HealthTransfer
import SampleLog

/// How far one device of a person is, in a setting of the person's.
///
/// A version byte, the number of the last batch, and the anchors, that of the last batch first: a
/// count, then each cursor (8 bytes) and anchor (a length and bytes).
struct DeviceState {
  private static let version: UInt8 = 1

  private let name: String
  private(set) var number: UInt64 = 0
  private var cursors: [(id: UInt64, anchor: [UInt8])] = []

  /// The state of a device of a writer's subject.
  ///
  /// - Throws: `errorDatabaseInaccessible` for what a later version may have written.
  init(_ device: UUID, _ writer: RowWriter) throws {
    name = "transfer/\(device.uuidString)"
    guard let bytes = writer.value(name) else { return }
    guard read(bytes) else {
      throw HKError.make(
        .errorDatabaseInaccessible, "The store's \(name) makes no sense to this version.")
    }
  }

  /// The anchor of the last batch, by its cursor; none before the first.
  var last: [UInt64: [UInt8]] {
    cursors.first.map { [$0.id: $0.anchor] } ?? [:]
  }

  /// All anchors, by their cursors.
  var anchors: [UInt64: [UInt8]] { Dictionary(cursors.map { ($0.id, $0.anchor) }) { $1 } }

  /// Goes on to a batch.
  mutating func take(_ batch: TransferBatch, _ writer: inout RowWriter) {
    number = batch.number
    cursors.removeAll { $0.id == batch.cursor }
    cursors.insert((batch.cursor, batch.anchor), at: 0)
    // A cursor that is forgotten begins at the beginning after a gap, which changes nothing.
    cursors = Array(cursors.prefix(TransferLimit.cursors))
    var bytes = ByteWriter()
    bytes.byte(Self.version)
    bytes.varint(number)
    bytes.varint(UInt64(cursors.count))
    for cursor in cursors {
      bytes.fixed(cursor.id)
      bytes.string(cursor.anchor)
    }
    writer.set(name, to: bytes.bytes)
  }

  private mutating func read(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      guard reader.byte() == Self.version, let number = reader.varint(),
        let count = reader.varint(), count <= UInt64(TransferLimit.cursors)
      else { return false }
      self.number = number
      for _ in 0..<count {
        guard let id = reader.fixed64(), let anchor = reader.string() else { return false }
        cursors.append((id, anchor))
      }
      return reader.isAtEnd
    }
  }
}
