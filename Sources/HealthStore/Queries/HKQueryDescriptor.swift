public import Foundation

/// A component of a query for several types: a sample type with its own predicate.
open class HKQueryDescriptor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The type of samples.
  open private(set) var sampleType: HKSampleType

  /// The condition on samples of the type, or nil to match all.
  open private(set) var predicate: NSPredicate?

  /// Creates a descriptor.
  public init(sampleType: HKSampleType, predicate: NSPredicate?) {
    self.sampleType = sampleType
    self.predicate = predicate
    super.init()
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived descriptor.
  ///
  /// Returns nil if it had a predicate, because predicates cannot be archived on Linux.
  public required init?(coder: NSCoder) {
    guard
      coder.decodeInteger(forKey: "version") == 1, !coder.decodeBool(forKey: "hasPredicate"),
      let identifier = coder.decodeString("sampleType"),
      let type = HKObjectType.make(identifier: identifier) as? HKSampleType
    else { return nil }
    sampleType = type
    predicate = nil
    super.init()
  }

  /// Encodes the type, and whether there is a predicate.
  open func encode(with coder: NSCoder) {
    coder.encode(1, forKey: "version")
    coder.encodeString(sampleType.identifier, "sampleType")
    coder.encode(predicate != nil, forKey: "hasPredicate")
  }

  /// Returns the same object, because descriptors are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both have the same type and equivalent predicates.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKQueryDescriptor else { return false }
    return sampleType == other.sampleType
      && SampleCondition.isSame(predicate, other.predicate)
  }

  /// A hash of the type.
  open override var hash: Int { sampleType.hash }
}

extension StoreReader {
  func plan(_ descriptors: [HKQueryDescriptor]) throws -> QueryPlan {
    try plan(descriptors.map { ($0.sampleType, try SampleCondition($0.predicate)) })
  }
}
