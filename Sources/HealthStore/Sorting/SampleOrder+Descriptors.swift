import Foundation

extension SampleOrder {
  /// The order that Foundation's sort descriptors ask for.
  ///
  /// Those made from a key are read from it; of those made from a key path, paths to a sample's
  /// own fields are recognised; all others compare for themselves. Throws when a key names nothing
  /// that samples have.
  init(_ descriptors: [NSSortDescriptor]?) throws(HKSortKeyError) {
    terms = []
    for descriptor in descriptors ?? [] {
      if let own = descriptor as? SampleSortDescriptor {
        guard let field = own.field else { throw HKSortKeyError(key: own.sortKey) }
        terms.append(.field(field, ascending: own.ascending))
      } else if type(of: descriptor) == NSSortDescriptor.self,
        let field = SampleSortField(keyPath: descriptor.keyPath as AnyKeyPath)
      {
        terms.append(.field(field, ascending: descriptor.ascending))
      } else {
        // A descriptor is immutable and compares without touching itself, so it may be shared.
        nonisolated(unsafe) let shared = descriptor
        terms.append(.comparator { shared.compare($0, to: $1) })
      }
    }
  }

  /// The order that Swift's sort descriptors ask for.
  ///
  /// Key paths to a sample's own fields are recognised; all others compare for themselves.
  init<Sample: HKSample>(_ descriptors: [SortDescriptor<Sample>]) {
    terms = descriptors.map { descriptor in
      if let keyPath = descriptor.keyPath,
        let field = SampleSortField(keyPath: keyPath, root: Sample.self)
      {
        return .field(field, ascending: descriptor.order == .forward)
      }
      return .comparator { left, right in
        // A query for `Sample` compares nothing else; should it, the two are left as they are.
        guard let left = left as? Sample, let right = right as? Sample else {
          return .orderedSame
        }
        return descriptor.compare(left, right)
      }
    }
  }
}

/// The key of a sort descriptor names nothing that samples have.
///
/// Our addition: HealthKit raises an exception instead.
public struct HKSortKeyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The key.
  public let key: String

  /// A sentence that names the mistake.
  public var description: String { "Samples have no '\(key)' to sort by." }
}

extension HKSortKeyError: LocalizedError {
  /// The same sentence as the description.
  public var errorDescription: String? { description }

  /// The same sentence again, for an `NSError` that is printed.
  public var failureReason: String? { description }
}
