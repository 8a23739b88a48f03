import Foundation
import HealthStore
import HealthTransfer
import SampleLog

/// The progress of one device of a subject, stored as a setting of the subject.
///
/// The value is a version byte, the number of the last batch, and the anchors, that of the last
/// batch first: a count, then each cursor (8 bytes) and anchor (a length and bytes). Version 2 adds
/// the digests of the last batches, newest first: a count, then each digest. Version 3 adds the
/// identifiers of the last batch, and the store's sequence number before it (8 bytes).
struct DeviceState {
  private static let version: UInt8 = 3

  /// The relation of a batch to the stored progress of its device.
  enum Standing {
    /// The batch is the next one.
    case next
    /// Batches before this one are missing.
    case gap
    /// The store already has the batch, which changes nothing.
    case known
    /// The phone has created a stored batch again, with different contents.
    case changed
    /// The store has another batch with the same number.
    case conflict
  }

  private static let prefix = "transfer/"

  private let name: String
  private(set) var number: UInt64 = 0
  private var cursors: [(id: UInt64, anchor: [UInt8])] = []
  private var digests: [BatchDigest] = []
  /// The identifiers of the last batch, or nil if an earlier version wrote the state.
  private var identifiers: BatchIdentifiers?
  /// The end of the store when the last batch was received, or 0 if an earlier version wrote the
  /// state.
  private var lastUsed: UInt64 = 0

  /// Reads the state of a device of the writer's subject.
  ///
  /// - Throws: `errorDatabaseInaccessible` if the state cannot be decoded, for example because a
  ///   later version wrote it.
  init(_ device: UUID, _ writer: borrowing RowWriter) throws {
    name = Self.prefix + device.uuidString
    guard let bytes = try writer.value(name) else { return }
    guard read(bytes) else {
      throw HKError.make(
        .errorDatabaseInaccessible, "The store's \(name) makes no sense to this version.")
    }
  }

  /// All anchors, by cursor.
  var anchors: [UInt64: [UInt8]] { Dictionary(cursors.map { ($0.id, $0.anchor) }) { $1 } }

  /// Returns the relation of a batch to the stored progress.
  ///
  /// A phone that has received no reply to its last batch may create it again with more or fewer
  /// objects. Such a batch is committed like a new one, except for samples that the store has. A
  /// batch that has nothing in common with the last one comes from another phone with the same
  /// identifier, and so does an older batch that is not recognised.
  func standing(of batch: TransferBatch) -> Standing {
    if batch.number > number { return batch.number == number + 1 ? .next : .gap }
    // Version 1 of the state has no digests.
    if digests.isEmpty { return .changed }
    let age = number - batch.number
    if age < UInt64(digests.count), digests[Int(age)] == BatchDigest(batch) { return .known }
    return age == 0 && identifiers?.haveAny(of: batch) ?? true ? .changed : .conflict
  }

  /// Advances the state to a batch in the writer's commit.
  ///
  /// A batch that is older than the last one does not change the state.
  mutating func take(_ batch: TransferBatch, _ writer: inout RowWriter, end: UInt64) {
    if batch.number < number { return }
    if number == 0 { Self.makeRoom(&writer) }
    if batch.number == number { digests = Array(digests.dropFirst()) }
    number = batch.number
    cursors.removeAll { $0.id == batch.cursor }
    cursors.insert((batch.cursor, batch.anchor), at: 0)
    // After a gap, a dropped cursor starts at the beginning, and sends samples that are known.
    cursors = Array(cursors.prefix(TransferLimit.cursors))
    digests = [BatchDigest(batch)] + digests.prefix(TransferLimit.recognized - 1)
    identifiers = BatchIdentifiers(batch)
    lastUsed = end
    writer.set(name, to: bytes)
  }

  /// Removes the least recently used devices to make room for another.
  ///
  /// A phone that continues under a new identifier leaves its old state in the store. A removed
  /// device that sends again receives a gap and starts at the beginning.
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
    // A state that a later version may have written counts as the most recently used.
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
    bytes.varint(UInt64(digests.count))
    for digest in digests { digest.write(to: &bytes) }
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
          guard let digest = BatchDigest(&reader) else { return false }
          digests.append(digest)
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
