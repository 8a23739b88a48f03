import Foundation
import SampleLog

/// A row of a store with everything that it says, on its way into another store.
///
/// Unlike an `ImportedSample` it is stored as it is: with its payload, with its links to other
/// samples, and under the name by which a later version replaces it.
package struct StoredSample: Equatable, Sendable {
  /// The identifier.
  package var uuid: UUID
  /// The identifier of its type, or of its owner's for a row that another one owns.
  package var type: String
  /// What the row is to its owner; nil for a sample.
  package var role: String?
  /// When it begins, in seconds since 2001.
  package var start: Double
  /// When it ends; not before the start.
  package var end: Double
  /// The quantity in `unit`, the category value, or what the family has there.
  package var value: Double
  /// The unit as the store knows it; empty for none.
  package var unit = ""
  /// The source revision as the store knows it; empty for none.
  package var source: [UInt8] = []
  /// The device as the store knows it; empty for none.
  package var device: [UInt8] = []
  /// The extras as the engine encodes them; empty for none.
  package var extras: [UInt8] = []

  /// A row without unit, source, device and extras.
  package init(
    uuid: UUID, type: String, role: String? = nil, start: Double, end: Double, value: Double
  ) {
    self.uuid = uuid
    self.type = type
    self.role = role
    self.start = start
    self.end = end
    self.value = value
  }

  /// The identifier of the row's owner; nil for a sample.
  package var owner: UUID? {
    if role == nil { return nil }
    return extras.withUnsafeBytes { Extras($0) }?.memberOf.first?.uuid
  }
}
