import Foundation
package import SampleLog

/// What an object has beside the fields of every sample, as bytes of its row.
///
/// A family of samples is a case of `SampleKind`, its class and its payload; `SamplePayloads` lists
/// them. A row that another one owns has a payload, too.
package protocol SamplePayload: Sendable {
  /// The number in `Extras.payloadKind`: never 0, never reused, listed in Docs/format.md.
  static var kind: UInt64 { get }
  /// Whether a row of the type must have it.
  static var isRequired: Bool { get }
  /// The bytes, of which the first is a version.
  var encoded: [UInt8] { get }
  /// What the row has as its value, by which queries can filter and skip blocks.
  var rowValue: Double { get }
  /// The samples that the object contains or that belong to it.
  var members: [Member] { get }

  /// Reads the bytes, or returns `nil` when they are no such payload.
  ///
  /// Takes any bytes: it never traps, and memory stays in proportion to the input.
  init?(_ bytes: UnsafeRawBufferPointer)

  /// Throws when a sample of the type and time cannot have the payload.
  func check(_ type: HKSampleType, start: Date, end: Date) throws(HKInvalidSampleError)

  /// Takes over from the live version that it replaces what that had from others, and returns the
  /// rows to save for what belonged to that.
  mutating func inherit(
    from old: RowReference, in snapshot: Snapshot
  ) throws -> [any OwnedPayload]
}

extension SamplePayload {
  package static var isRequired: Bool { true }
  package var rowValue: Double { 0 }
  package var members: [Member] { [] }

  package func check(
    _ type: HKSampleType, start: Date, end: Date
  ) throws(HKInvalidSampleError) {}

  package mutating func inherit(
    from old: RowReference, in snapshot: Snapshot
  ) throws -> [any OwnedPayload] { [] }

  /// Reads the payload of a row, or returns `nil` when it is none of this kind.
  package init?(_ extras: Extras?) {
    guard let extras, extras.payloadKind == Self.kind else { return nil }
    let payload = extras.payload.withUnsafeBytes { Self($0) }
    guard let payload else { return nil }
    self = payload
  }

  /// Makes the payload that of a row.
  package func add(to extras: inout Extras) {
    extras.payloadKind = Self.kind
    extras.payload = encoded
  }
}

/// The payload of a row that another row owns, in a series that only its owner leads to.
///
/// It has its owner's dates, is saved with it or later, and goes with it.
package protocol OwnedPayload: SamplePayload {
  /// What the rows are to their owner, in the name of their type; never changed.
  static var role: String { get }

  /// What the row of a number has as its value, given the owner's dates.
  func value(number: Double, start: Date, end: Date) -> Double
}

extension OwnedPayload {
  package func value(number: Double, start: Date, end: Date) -> Double { number }
}

/// What names a sample that another object contains.
package struct Member: Hashable, Sendable {
  /// The identifier.
  package var id: Identifier
  /// The identifier of its type.
  package var type: String
  /// Under what name a later version takes its place; empty for a sample that has none.
  package var syncIdentifier: [UInt8] = []
}

extension Member {
  /// What names a sample that is saved as a revision's unless it says whose it is.
  init(_ sample: HKSample, revision: HKSourceRevision) {
    let own = sample.built.map { $0.sourceRevision ?? revision } ?? sample.sourceRevision
    self.init(
      id: Identifier(sample.uuid), type: sample.sampleType.identifier,
      syncIdentifier: SyncIdentity(sample.metadata, own)?.identifier ?? [])
  }
}
