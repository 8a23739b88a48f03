import Foundation
import SampleLog

/// A complete row of a store, for transfer into another store.
///
/// Unlike an `IncomingSample`, it is stored unchanged, with its payload, its links to other
/// samples and its sync identity.
package struct StoredSample: Equatable, Sendable {
  package var uuid: UUID
  /// The identifier of the sample's type.
  ///
  /// For a child row, the identifier of its parent's type.
  package var type: String
  /// The child type of a child row, or nil for a sample.
  package var childType: String?
  /// The start, in seconds since 2001-01-01 00:00 UTC.
  package var start: Double
  /// The end, in seconds since 2001-01-01 00:00 UTC; not before the start.
  package var end: Double
  /// The quantity in `unit`, the category value, or a value specific to the family.
  package var value: Double
  /// The unit's string, or an empty string if there is none.
  package var unit = ""
  /// The encoded source revision, or an empty array if there is none.
  package var source: [UInt8] = []
  /// The encoded device, or an empty array if there is none.
  package var device: [UInt8] = []
  /// The encoded extras, or an empty array if there are none.
  package var extras: [UInt8] = []

  /// Creates a row without unit, source, device and extras.
  package init(
    uuid: UUID, type: String, childType: String? = nil, start: Double, end: Double, value: Double
  ) {
    self.uuid = uuid
    self.type = type
    self.childType = childType
    self.start = start
    self.end = end
    self.value = value
  }

  /// The identifier of the row's parent, or nil for a sample.
  package var parent: UUID? {
    if childType == nil { return nil }
    return extras.withUnsafeBytes { Extras($0) }?.memberOf.first?.uuid
  }
}
