import Foundation

/// All fields of an object that a program built, as opposed to one read from a block.
///
/// Immutable. Its metadata is normalised (see `Metadata`), and where `checkedMetadata` is not nil
/// all fields have been checked.
final class BuiltSample: @unchecked Sendable {
  let uuid: UUID
  let sampleType: HKSampleType
  let kind: SampleKind
  let startDate: Date
  let endDate: Date
  let quantity: HKQuantity?
  let categoryValue: Int
  /// `nil` stands for the running program's own revision, which the store assigns on saving.
  let sourceRevision: HKSourceRevision?
  let device: HKDevice?
  let metadata: [String: Any]?
  let objects: Set<HKSample>
  /// What its family has beside these; nil where the family has nothing or `objects`.
  let contents: Contents?
  /// The metadata's binary form where all fields are known to be what a sample of the type may
  /// have, so that saving need not look again; nil where they are not.
  let checkedMetadata: [UInt8]?

  /// Stores the fields as they are, without validation.
  ///
  /// `kind` spares finding it out from the type.
  init(
    uuid: UUID,
    sampleType: HKSampleType,
    kind: SampleKind? = nil,
    startDate: Date,
    endDate: Date,
    quantity: HKQuantity? = nil,
    categoryValue: Int = 0,
    sourceRevision: HKSourceRevision? = nil,
    device: HKDevice? = nil,
    metadata: [String: Any]? = nil,
    checkedMetadata: [UInt8]? = nil,
    objects: Set<HKSample> = [],
    payload: (any SamplePayload)? = nil,
    owned: [any OwnedPayload] = []
  ) {
    self.uuid = uuid
    self.sampleType = sampleType
    self.kind = kind ?? SampleKind(of: sampleType)
    self.startDate = startDate
    self.endDate = endDate
    self.quantity = quantity
    self.categoryValue = categoryValue
    self.sourceRevision = sourceRevision
    self.device = device
    self.metadata = metadata
    self.objects = objects
    contents = payload == nil && owned.isEmpty ? nil : Contents(payload, owned)
    self.checkedMetadata = checkedMetadata
  }

  /// Copies one row out of its block, so that the block need not stay in memory.
  init(block: StoredBlock, row: Int32) {
    uuid = block.uuid(at: row)
    sampleType = block.sampleType
    kind = block.kind
    startDate = block.startDate(at: row)
    endDate = block.endDate(at: row)
    let isQuantity = block.kind.isQuantity
    quantity =
      isQuantity ? HKQuantity(unit: block.unit(at: row), doubleValue: block.value(at: row)) : nil
    categoryValue =
      block.kind == .category ? Self.categoryValue(stored: block.value(at: row)) : 0
    sourceRevision = block.sourceRevision(at: row)
    device = block.device(at: row)
    metadata = block.metadata(at: row)
    objects = block.kind == .correlation ? block.objects(at: row) : []
    contents = block.kind.payload.flatMap { block.payload(anyOf: $0, at: row) }
      .map { Contents($0, []) }
    checkedMetadata = nil
  }

  /// What the objects of few families have, so that those of others are no larger for it.
  final class Contents: Sendable {
    let payload: (any SamplePayload)?
    /// What is saved with the object as rows of its own.
    let owned: [any OwnedPayload]

    init(_ payload: (any SamplePayload)?, _ owned: [any OwnedPayload]) {
      self.payload = payload
      self.owned = owned
    }
  }

  var payload: (any SamplePayload)? { contents?.payload }

  /// The value of a category sample that a column holds as a double.
  static func categoryValue(stored value: Double) -> Int { Int(exactly: value.rounded()) ?? 0 }
}
