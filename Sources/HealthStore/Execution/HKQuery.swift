public import Foundation

/// A query for a health store.
///
/// Abstract; use a subclass. The class functions create predicates. A query is executed once; its
/// handlers are called one at a time on a background queue.
///
/// ```swift
/// let predicate = HKQuery.predicateForSamples(withStart: start, end: nil, options: [])
/// ```
open class HKQuery: NSObject, @unchecked Sendable {
  /// The type of objects that the query reads.
  open private(set) var objectType: HKObjectType?

  /// The condition on results, or nil to match all.
  open private(set) var predicate: NSPredicate?

  let execution = QueryExecution()

  init(objectType: HKObjectType?, predicate: NSPredicate?) {
    self.objectType = objectType
    self.predicate = predicate
    super.init()
  }

  /// The older name of `objectType`, or nil if that is not a sample type.
  open var sampleType: HKSampleType? { objectType as? HKSampleType }

  /// Performs the query and calls its handlers; runs on the query's queue.
  func run(_ reader: StoreReader) throws {
    fatalError("\(type(of: self)) cannot be executed.")
  }

  /// Reports an error to the handler; runs on the query's queue.
  func fail(_ error: any Error) {}
}
