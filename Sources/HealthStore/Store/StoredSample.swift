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

/// Looks at rows before they are stored, as `RowCheck` does when they are read.
struct StoredSampleCheck {
  private var type: (name: String, kind: SampleKind?)?

  /// Throws when no store can have the row, apart from its unit, source and device.
  mutating func check(_ sample: StoredSample) throws(HKInvalidSampleError) {
    let name = sample.type
    guard sample.start.isFinite, sample.end.isFinite else { throw .dateNotFinite(type: name) }
    guard sample.start <= sample.end else { throw .endBeforeStart(type: name) }
    guard sample.value.isFinite else { throw .valueNotFinite(type: name) }
    if type?.name != name {
      guard !name.isEmpty, name.utf8.first != OwnedType.mark,
        name.utf8.count < StoreLimit.nameBytes.maximum / 2
      else { throw .invalidContents(type: name.clippedToName, reason: "it is no type.") }
      let known = HKObjectType.make(identifier: name) as? HKSampleType
      type = (name, known.map(SampleKind.init))
    }
    if sample.role != nil { return try checkOwned(sample) }
    let kind = type?.kind
    if kind == .category, Int(exactly: sample.value.rounded()) == nil {
      throw .invalidContents(type: name, reason: "a category is a whole number.")
    }
    if sample.extras.isEmpty, kind?.payload?.isRequired != true { return }
    let extras = try Self.extras(of: sample)
    guard let payload = kind?.payload else { return }
    if extras.payloadKind == 0, !payload.isRequired { return }
    guard payload.init(extras) != nil else {
      throw .invalidContents(type: name, reason: "its contents make no sense.")
    }
  }

  private func checkOwned(_ sample: StoredSample) throws(HKInvalidSampleError) {
    let extras = try Self.extras(of: sample)
    let payload = SamplePayloads.all.lazy.compactMap { $0 as? any OwnedPayload.Type }
      .first { $0.role == sample.role && $0.kind == extras.payloadKind }
    guard let payload, payload.init(extras) != nil, !extras.memberOf.isEmpty else {
      throw .invalidContents(type: sample.type, reason: "what belongs to it makes no sense.")
    }
  }

  private static func extras(of sample: StoredSample) throws(HKInvalidSampleError) -> Extras {
    func refuse(_ reason: String) -> HKInvalidSampleError {
      .invalidContents(type: sample.type, reason: reason)
    }
    guard sample.extras.count <= StoreLimit.extrasBytes.maximum else {
      throw refuse("it has \(sample.extras.count) bytes.")
    }
    guard let extras = sample.extras.withUnsafeBytes({ Extras($0) }),
      extras.syncIdentifier.count <= StoreLimit.syncIdentifierBytes.maximum
    else { throw refuse("its bytes make no sense.") }
    guard !extras.metadata.isEmpty, !extras.metadata.isPlainText else { return extras }
    let isMetadata = extras.metadata.withUnsafeBytes { bytes in
      do {
        try MetadataCoding.check(bytes)
        return true
      } catch {
        return false
      }
    }
    guard isMetadata else { throw refuse("its metadata makes no sense.") }
    return extras
  }
}

extension String {
  fileprivate var clippedToName: String { String(prefix(80)) }
}
