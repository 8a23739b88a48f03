public import Foundation

/// A question to a health store.
///
/// Abstract: make a subclass's objects. The class functions make predicates for them.
open class HKQuery: NSObject, @unchecked Sendable {
  /// The type of objects that the query asks for.
  public let objectType: HKObjectType?

  /// The predicate that restricts the answer; `nil` admits everything.
  public let predicate: NSPredicate?

  init(objectType: HKObjectType?, predicate: NSPredicate?) {
    self.objectType = objectType
    self.predicate = predicate
    super.init()
  }

  /// The older name of `objectType`, `nil` when that is not a type of samples.
  public var sampleType: HKSampleType? { objectType as? HKSampleType }
}
