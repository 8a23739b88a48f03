import Foundation
import HealthStore
import HealthTransfer
import SampleLog

/// How far one device of a person is, in a setting of the person's.
///
/// A version byte, the number of the last batch, and the anchors, that of the last batch first: a
/// count, then each cursor (8 bytes) and anchor (a length and bytes). From version 2 on follow the
/// marks of the last batches, the last first: a count, then each.
struct DeviceState {
  private static let version: UInt8 = 2

  private let name: String
  private(set) var number: UInt64 = 0
  private var cursors: [(id: UInt64, anchor: [UInt8])] = []
  private var marks: [BatchMark] = []

  /// The state of a device of a writer's subject.
  ///
  /// - Throws: `errorDatabaseInaccessible` for what a later version may have written.
  init(_ device: UUID, _ writer: borrowing RowWriter) throws {
    name = "transfer/\(device.uuidString)"
    guard let bytes = writer.value(name) else { return }
    guard read(bytes) else {
      throw HKError.make(
        .errorDatabaseInaccessible, "The store's \(name) makes no sense to this version.")
    }
  }

  /// The anchor of the last batch, by its cursor; none before the first.
  private var last: [UInt64: [UInt8]] {
    cursors.first.map { [$0.id: $0.anchor] } ?? [:]
  }

  /// All anchors, by their cursors.
  var anchors: [UInt64: [UInt8]] { Dictionary(cursors.map { ($0.id, $0.anchor) }) { $1 } }

  /// The acknowledgement of a batch that the store has, whose number is not above ``number``; nil
  /// for one that it does not have, whose samples an acknowledgement would lose.
  ///
  /// The phone may have made the last batch again with more, and takes up the rest behind the
  /// anchor that the store has. Another phone with the same identifier has sent a batch that is not
  /// recognised, nor is one that is older than what is remembered.
  func acknowledgement(of batch: TransferBatch) -> TransferReply? {
    let age = number - batch.number
    // An earlier version has remembered no marks.
    if marks.isEmpty || (age == 0 && marks[0].isBeginning(of: batch)) { return reply(batch.device) }
    guard age > 0, age < UInt64(marks.count), marks[Int(age)] == BatchMark(batch) else {
      return nil
    }
    // Not the last anchor: the batches behind may be another phone's.
    return TransferReply(
      device: batch.device, number: batch.number, isGap: false,
      anchors: [batch.cursor: batch.anchor])
  }

  /// The acknowledgement of the last batch.
  func reply(_ device: UUID) -> TransferReply {
    TransferReply(device: device, number: number, isGap: false, anchors: last)
  }

  /// Goes on to a batch.
  mutating func take(_ batch: TransferBatch, _ writer: inout RowWriter) {
    number = batch.number
    cursors.removeAll { $0.id == batch.cursor }
    cursors.insert((batch.cursor, batch.anchor), at: 0)
    // A cursor that is forgotten begins at the beginning after a gap, which changes nothing.
    cursors = Array(cursors.prefix(TransferLimit.cursors))
    marks = [BatchMark(batch)] + marks.prefix(TransferLimit.recognized - 1)
    var bytes = ByteWriter()
    bytes.byte(Self.version)
    bytes.varint(number)
    bytes.varint(UInt64(cursors.count))
    for cursor in cursors {
      bytes.fixed(cursor.id)
      bytes.string(cursor.anchor)
    }
    bytes.varint(UInt64(marks.count))
    for mark in marks { mark.write(to: &bytes) }
    writer.set(name, to: bytes.bytes)
  }

  private mutating func read(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      guard let version = reader.byte(), (1...Self.version).contains(version),
        let number = reader.varint(), number <= TransferLimit.number,
        let count = reader.varint(), count <= UInt64(TransferLimit.cursors)
      else { return false }
      self.number = number
      for _ in 0..<count {
        guard let id = reader.fixed64(), let anchor = reader.string() else { return false }
        cursors.append((id, anchor))
      }
      if version > 1 {
        guard let count = reader.varint(), count <= UInt64(TransferLimit.recognized) else {
          return false
        }
        for _ in 0..<count {
          guard let mark = BatchMark(&reader) else { return false }
          marks.append(mark)
        }
      }
      return reader.isAtEnd
    }
  }
}

/// Recognises a batch: how many samples and deletions it has, and their identifiers' fingerprint.
private struct BatchMark: Equatable {
  private let samples: Int
  private let deletions: Int
  private let fingerprint: UInt64

  init(_ batch: TransferBatch) {
    self.init(batch, batch.samples.count, batch.deletions.count)
  }

  /// The mark of the first samples and deletions of a batch.
  private init(_ batch: TransferBatch, _ samples: Int, _ deletions: Int) {
    self.samples = samples
    self.deletions = deletions
    var bytes = ByteWriter()
    bytes.fixed(batch.cursor)
    for id in batch.samples.prefix(samples).map(\.id) + batch.deletions.prefix(deletions) {
      bytes.fixed(Identifier(id).high)
      bytes.fixed(Identifier(id).low)
    }
    fingerprint = Fingerprint.of(bytes.bytes)
  }

  /// Whether a batch has the same samples and deletions, and possibly more behind them.
  ///
  /// A mark of no contents would match every batch, another phone's among them, so it matches none.
  func isBeginning(of batch: TransferBatch) -> Bool {
    if self == BatchMark(batch) { return true }
    return samples + deletions > 0 && samples <= batch.samples.count
      && deletions <= batch.deletions.count
      && fingerprint == BatchMark(batch, samples, deletions).fingerprint
  }

  func write(to bytes: inout ByteWriter) {
    bytes.varint(UInt64(samples))
    bytes.varint(UInt64(deletions))
    bytes.fixed(fingerprint)
  }

  init?(_ reader: inout ByteReader) {
    guard let samples = reader.varint().flatMap({ Int(exactly: $0) }),
      let deletions = reader.varint().flatMap({ Int(exactly: $0) }),
      let fingerprint = reader.fixed64()
    else { return nil }
    self.samples = samples
    self.deletions = deletions
    self.fingerprint = fingerprint
  }
}
