import Foundation
import HealthStore
import HealthTransfer
import SampleLog

/// How far one device of a person is, in a setting of the person's.
///
/// A version byte, the number of the last batch, and the anchors, that of the last batch first: a
/// count, then each cursor (8 bytes) and anchor (a length and bytes). From version 2 on follow the
/// marks of the last batches, the last first: a count, then each. From version 3 on follow the
/// identifiers of the last batch, and the store's sequence number before it (8 bytes).
struct DeviceState {
  private static let version: UInt8 = 3

  /// The relation of a batch to those that the store has of its device.
  enum Standing {
    /// The batch that follows.
    case next
    /// Batches are missing in front of it.
    case gap
    /// The store has it, so that it changes nothing.
    case known
    /// The phone has made a batch that the store has again, with other contents.
    case changed
    /// The store has another batch of its number.
    case conflict
  }

  private static let prefix = "transfer/"

  private let name: String
  private(set) var number: UInt64 = 0
  private var cursors: [(id: UInt64, anchor: [UInt8])] = []
  private var marks: [BatchMark] = []
  /// The identifiers of the last batch; nil for a state of an earlier version, which has none.
  private var identifiers: BatchIdentifiers?
  /// The end of the store when the last batch came; 0 for a state of an earlier version.
  private var lastUsed: UInt64 = 0

  /// The state of a device of a writer's subject.
  ///
  /// - Throws: `errorDatabaseInaccessible` for what a later version may have written.
  init(_ device: UUID, _ writer: borrowing RowWriter) throws {
    name = Self.prefix + device.uuidString
    guard let bytes = writer.value(name) else { return }
    guard read(bytes) else {
      throw HKError.make(
        .errorDatabaseInaccessible, "The store's \(name) makes no sense to this version.")
    }
  }

  /// All anchors, by their cursors.
  var anchors: [UInt64: [UInt8]] { Dictionary(cursors.map { ($0.id, $0.anchor) }) { $1 } }

  /// Decides what becomes of a batch.
  ///
  /// A phone that has not heard of its last batch may make it again with more, or less. That is
  /// saved like a new batch: samples that the store has are left out. One that has nothing in
  /// common with the last one is another phone's with the same identifier, and so is one that is
  /// older and not recognised.
  func standing(of batch: TransferBatch) -> Standing {
    if batch.number > number { return batch.number == number + 1 ? .next : .gap }
    // An earlier version has remembered no marks.
    if marks.isEmpty { return .changed }
    let age = number - batch.number
    if age < UInt64(marks.count), marks[Int(age)] == BatchMark(batch) { return .known }
    return age == 0 && identifiers?.haveAny(of: batch) ?? true ? .changed : .conflict
  }

  /// Goes on to a batch that is in the commit of the writer.
  ///
  /// An older one, which is there once more, leaves the state as it is.
  mutating func take(_ batch: TransferBatch, _ writer: inout RowWriter, end: UInt64) {
    if batch.number < number { return }
    if number == 0 { Self.makeRoom(&writer) }
    if batch.number == number { marks = Array(marks.dropFirst()) }
    number = batch.number
    cursors.removeAll { $0.id == batch.cursor }
    cursors.insert((batch.cursor, batch.anchor), at: 0)
    // A cursor that is forgotten begins at the beginning after a gap, which changes nothing.
    cursors = Array(cursors.prefix(TransferLimit.cursors))
    marks = [BatchMark(batch)] + marks.prefix(TransferLimit.recognized - 1)
    identifiers = BatchIdentifiers(batch)
    lastUsed = end
    writer.set(name, to: bytes)
  }

  /// Forgets the devices that have sent nothing for longest, so that there is room for another.
  ///
  /// A phone that goes on under another identifier leaves its state behind. One that is forgotten
  /// and sends again is told of a gap, and begins at the beginning.
  private static func makeRoom(_ writer: inout RowWriter) {
    let all = writer.values(beginningWith: prefix)
    guard all.count >= TransferLimit.devices else { return }
    let states = all.map { DeviceState(named: $0.name, $0.value) }
      .sorted { ($0.lastUsed, $0.name) < ($1.lastUsed, $1.name) }
    for device in states.prefix(all.count - TransferLimit.devices + 1) {
      writer.set(device.name, to: [])
    }
  }

  private init(named name: String, _ bytes: [UInt8]) {
    self.name = name
    // What a later version may have written was used last.
    if !read(bytes) { lastUsed = .max }
  }

  private var bytes: [UInt8] {
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
    identifiers?.write(to: &bytes)
    bytes.fixed(lastUsed)
    return bytes.bytes
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
      if version > 2 {
        guard let identifiers = BatchIdentifiers(&reader), let lastUsed = reader.fixed64() else {
          return false
        }
        self.identifiers = identifiers
        self.lastUsed = lastUsed
      }
      return reader.isAtEnd
    }
  }
}
