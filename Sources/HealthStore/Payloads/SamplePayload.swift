import Foundation
package import SampleLog

/// Data of an object in addition to the fields of every sample, encoded in its row.
///
/// A sample class names the payload of its rows (`HKSample.payloadType`); `SamplePayloads` lists
/// all payloads. Child rows have payloads as well.
package protocol SamplePayload: Sendable {
  /// The number in `Extras.payloadKind`: never 0 and never reused; listed in Docs/format.md.
  static var kind: UInt64 { get }
  /// Whether rows of the type require the payload.
  static var isRequired: Bool { get }
  /// The encoding, which begins with a version byte.
  var encoded: [UInt8] { get }
  /// The value column of the row, by which queries can filter rows and skip blocks.
  var rowValue: Double { get }
  /// The samples that the object contains or references.
  var members: [Member] { get }

  /// Decodes a payload, or returns nil if the bytes are invalid.
  ///
  /// Safe for arbitrary bytes: never traps, and memory use is proportional to the input.
  init?(_ bytes: UnsafeRawBufferPointer)

  /// Throws if the payload is invalid for a sample with the type and dates.
  func check(_ type: HKSampleType, start: Date, end: Date) throws(HKInvalidSampleError)

  /// Inherits data from the live version that this one replaces. Returns the child rows to save for
  /// the new version.
  mutating func inherit(
    from old: Row, in snapshot: Snapshot
  ) throws -> [any ChildPayload]
}

extension SamplePayload {
  package static var isRequired: Bool { true }
  package var rowValue: Double { 0 }
  package var members: [Member] { [] }

  package func check(
    _ type: HKSampleType, start: Date, end: Date
  ) throws(HKInvalidSampleError) {}

  package mutating func inherit(
    from old: Row, in snapshot: Snapshot
  ) throws -> [any ChildPayload] { [] }

  /// Decodes the payload of a row, or returns nil if the row has none of this kind.
  package init?(_ extras: Extras?) {
    guard let extras, extras.payloadKind == Self.kind else { return nil }
    let payload = extras.payload.withUnsafeBytes { Self($0) }
    guard let payload else { return nil }
    self = payload
  }

  /// Stores the payload in a row's extras.
  package func add(to extras: inout Extras) {
    extras.payloadKind = Self.kind
    extras.payload = encoded
  }
}

/// The payload of a child row, in a series that is accessible only through its parent.
///
/// A child row has its parent's dates, is saved with it or later, and is deleted with it.
package protocol ChildPayload: SamplePayload {
  /// The relationship of the child rows to their parent, as part of their type's name; never
  /// changed.
  static var childType: String { get }

  /// Returns the value column of the child row with the given number, for the parent's dates.
  func value(number: Double, start: Date, end: Date) -> Double
}

extension ChildPayload {
  package func value(number: Double, start: Date, end: Date) -> Double { number }
}

/// A reference to a sample from another object.
package struct Member: Hashable, Sendable {
  package var id: Identifier
  /// The identifier of its type.
  package var type: String
  /// The sync identifier by which a later version replaces the sample; empty if it has none.
  package var syncIdentifier: [UInt8] = []
}
