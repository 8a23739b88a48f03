import Foundation

/// The fields of an object created by a program, as opposed to one read from a block.
///
/// Immutable. The metadata is normalised (see `Metadata`). If `checkedMetadata` is not nil, all
/// fields have been validated.
final class BuiltSample: @unchecked Sendable {
  let uuid: UUID
  let sampleType: HKSampleType
  let kind: SampleKind
  let startDate: Date
  let endDate: Date
  let quantity: HKQuantity?
  let categoryValue: Int
  /// The source revision, or nil for the running program's, which the store assigns when the sample
  /// is saved.
  let sourceRevision: HKSourceRevision?
  let device: HKDevice?
  let metadata: [String: Any]?
  let objects: Set<HKSample>
  /// The additional contents of its family, or nil if the family has none except `objects`.
  let contents: Contents?
  /// The encoded metadata if all fields have been validated, so that saving need not validate them
  /// again; otherwise nil.
  let checkedMetadata: [UInt8]?

  /// Stores the fields without validation.
  ///
  /// Pass `kind`, if known, to avoid looking it up by type.
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
    children: [any ChildPayload] = []
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
    contents = payload == nil && children.isEmpty ? nil : Contents(payload, children)
    self.checkedMetadata = checkedMetadata
  }

  /// Copies one row, with its payload of a type, out of its block, so that the block can be
  /// released.
  init(block: StoredBlock, row: Int32, payload: (any SamplePayload.Type)?) {
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
    objects = block.kind == .correlation ? block.members(at: row) : []
    contents = payload.flatMap { block.payload(anyOf: $0, at: row) }.map { Contents($0, []) }
    checkedMetadata = nil
  }

  /// Fields of a few families only, stored out of line to keep other samples small.
  final class Contents: Sendable {
    let payload: (any SamplePayload)?
    /// The child rows that are saved with the sample.
    let children: [any ChildPayload]

    init(_ payload: (any SamplePayload)?, _ children: [any ChildPayload]) {
      self.payload = payload
      self.children = children
    }
  }

  var payload: (any SamplePayload)? { contents?.payload }

  /// Returns the category value that a column stores as a double.
  static func categoryValue(stored value: Double) -> Int { Int(exactly: value.rounded()) ?? 0 }
}
