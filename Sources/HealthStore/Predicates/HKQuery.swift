public import Foundation

/// A question to a health store.
///
/// Abstract: make a subclass's objects. The class functions make predicates for them. A query
/// runs once; its handlers are called one at a time, on a background queue of the query's own.
///
/// ```swift
/// let predicate = HKQuery.predicateForSamples(withStart: start, end: nil, options: [])
/// ```
open class HKQuery: NSObject, @unchecked Sendable {
  /// The type of objects that the query asks for.
  open private(set) var objectType: HKObjectType?

  /// The predicate that restricts the answer; `nil` admits everything.
  open private(set) var predicate: NSPredicate?

  let execution = QueryExecution()

  init(objectType: HKObjectType?, predicate: NSPredicate?) {
    self.objectType = objectType
    self.predicate = predicate
    super.init()
  }

  /// The older name of `objectType`, `nil` when that is not a type of samples.
  open var sampleType: HKSampleType? { objectType as? HKSampleType }

  /// Does the query's work and calls its handlers; runs on the query's queue.
  func run(_ reader: StoreReader) throws {
    fatalError("\(type(of: self)) cannot be executed.")
  }

  /// Reports that the query failed; runs on the query's queue.
  func fail(_ error: any Error) {}
}
