public import Foundation

/// One part of a query for several types: a type of samples and a predicate for it alone.
open class HKQueryDescriptor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The type of samples.
  open private(set) var sampleType: HKSampleType

  /// The predicate that samples of the type must satisfy; `nil` admits all.
  open private(set) var predicate: NSPredicate?

  /// Makes a descriptor.
  public init(sampleType: HKSampleType, predicate: NSPredicate?) {
    self.sampleType = sampleType
    self.predicate = predicate
    super.init()
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an archived descriptor.
  ///
  /// Returns `nil` when it had a predicate: on Linux predicates cannot be archived.
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

  /// Archives the type, and whether there is a predicate.
  open func encode(with coder: NSCoder) {
    coder.encode(1, forKey: "version")
    coder.encodeString(sampleType.identifier, "sampleType")
    coder.encode(predicate != nil, forKey: "hasPredicate")
  }

  /// Returns the descriptor itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have the same type and predicates that mean the same.
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
