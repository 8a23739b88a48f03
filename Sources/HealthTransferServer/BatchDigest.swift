import Foundation
import HealthStore
import HealthTransfer
import SampleLog

/// A digest that recognises a batch: the number of its samples and deletions, and a hash of their
/// identifiers.
struct BatchDigest: Equatable {
  private let samples: Int
  private let deletions: Int
  private let fingerprint: UInt64

  init(_ batch: TransferBatch) {
    samples = batch.samples.count
    deletions = batch.deletions.count
    var bytes = ByteWriter()
    bytes.fixed(batch.cursor)
    for id in batch.samples.map(\.id) + batch.deletions {
      bytes.fixed(Identifier(id).high)
      bytes.fixed(Identifier(id).low)
    }
    fingerprint = Fingerprint.of(bytes.bytes)
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

/// Short hashes of the identifiers in a batch, by which a later version of the same batch is
/// recognised.
///
/// A query delivers objects in commit order, so a batch that is created again starts with the same
/// objects, as samples or, if they have been deleted since, as deletions. The first samples and
/// deletions are therefore sufficient.
struct BatchIdentifiers {
  private static let mostOfEachKind = 256

  private let prints: Set<UInt32>

  init(_ batch: TransferBatch) {
    let samples = batch.samples.prefix(Self.mostOfEachKind).map(\.id)
    let deletions = batch.deletions.prefix(Self.mostOfEachKind)
    prints = Set((samples + deletions).map(Self.print))
  }

  /// Returns whether a batch has an identifier of this one, as a sample or a deletion.
  func haveAny(of batch: TransferBatch) -> Bool {
    batch.samples.contains { prints.contains(Self.print($0.id)) }
      || batch.deletions.contains { prints.contains(Self.print($0)) }
  }

  private static func print(_ id: UUID) -> UInt32 {
    // Some identifiers are not random in all bits, so mix them.
    var hash = Identifier(id).high &* 0x9E37_79B9_7F4A_7C15 ^ Identifier(id).low
    hash = (hash ^ hash >> 32) &* 0xD6E8_FEB8_6659_FD93
    return UInt32(truncatingIfNeeded: hash >> 32)
  }

  func write(to bytes: inout ByteWriter) {
    bytes.varint(UInt64(prints.count))
    for print in prints.sorted() { bytes.fixed(print) }
  }

  init?(_ reader: inout ByteReader) {
    guard let count = reader.varint(), count <= UInt64(2 * Self.mostOfEachKind) else { return nil }
    var prints: Set<UInt32> = []
    for _ in 0..<count {
      guard let print = reader.fixed(UInt32.self) else { return nil }
      prints.insert(print)
    }
    self.prints = prints
  }
}
