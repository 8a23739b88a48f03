public import Foundation

/// A health data object: an identifier, its origin, and metadata.
///
/// Abstract; use a subclass. Immutable and safe to share between threads. Two objects are equal if
/// their `uuid`s are equal, regardless of other fields.
open class HKObject: NSObject, NSSecureCoding, @unchecked Sendable {
  // Exactly one of `built` and `block` is set. Objects returned by queries are views of a block:
  // one allocation each, with fields decoded on access.
  let built: BuiltSample?
  let block: StoredBlock?
  let row: Int32

  init(built: BuiltSample) {
    self.built = built
    block = nil
    row = 0
    super.init()
  }

  init(block: StoredBlock, row: Int32) {
    built = nil
    self.block = block
    self.row = row
    super.init()
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived object.
  ///
  /// Returns nil if the archive has a later version or lacks a field.
  public required init?(coder: NSCoder) {
    if let handover = coder as? BuiltSampleTransfer {
      built = handover.built
    } else if let decoded = BuiltSample(coder: coder, payload: Self.payloadType),
      Self.accepts(decoded)
    {
      built = decoded
    } else {
      return nil
    }
    block = nil
    row = 0
    super.init()
  }

  /// Encodes all fields, including the identifier and the source revision.
  open func encode(with coder: NSCoder) {
    materialized.encode(with: coder)
  }

  /// The payload type of the class's rows, or nil if they have none.
  ///
  /// A family names its payload by overriding this property.
  class var payloadType: (any SamplePayload.Type)? { nil }

  /// Returns whether an object of this class can hold these fields.
  class func accepts(_ sample: BuiltSample) -> Bool { true }

  /// The block that the object is a view of.
  ///
  /// Access it only if `built` is nil: every initialiser sets exactly one of the two.
  final var view: StoredBlock { block.unsafelyUnwrapped }

  /// The fields, copied out of the block if necessary.
  final var materialized: BuiltSample {
    built ?? BuiltSample(block: view, row: row, payload: Swift.type(of: self).payloadType)
  }

  /// The object's identifier, assigned when the object was created.
  open var uuid: UUID {
    if let built { return built.uuid }
    return view.uuid(at: row)
  }

  /// The program, version and system that saved the object.
  ///
  /// An object that was not read from a store reports the running program's revision.
  open var sourceRevision: HKSourceRevision {
    if let built { return built.sourceRevision ?? .current }
    return view.sourceRevision(at: row)
  }

  /// The program that saved the object.
  open var source: HKSource { sourceRevision.source }

  /// The device that measured the object's data.
  open var device: HKDevice? {
    if let built { return built.device }
    return view.device(at: row)
  }

  /// The metadata of the object.
  ///
  /// Values are `String`, `NSNumber` (Bool, Int or Double), `Date` or `HKQuantity`.
  open var metadata: [String: Any]? {
    if let built { return built.metadata }
    return view.metadata(at: row)
  }

  /// Returns whether both objects have the same `uuid`.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKObject else { return false }
    return self === other || uuid == other.uuid
  }

  /// A hash of `uuid`.
  open override var hash: Int { uuid.hashValue }

  /// The class name and the identifier.
  open override var description: String { "\(type(of: self)) \(uuid)" }
}
