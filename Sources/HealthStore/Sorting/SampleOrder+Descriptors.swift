import Foundation

// Converts sort descriptors to sample orders.
extension SampleOrder {
  /// Creates the order for Foundation's sort descriptors.
  ///
  /// Descriptors with a key, or with a key path to one of a sample's own fields, become fields; all
  /// others use their own comparison. Throws if a key is unknown.
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
        // A descriptor is immutable and its comparison has no state, so sharing it is safe.
        nonisolated(unsafe) let shared = descriptor
        terms.append(.comparator { shared.compare($0, to: $1) })
      }
    }
  }

  /// Creates the order for Swift's sort descriptors.
  ///
  /// Key paths to a sample's own fields become fields; all other descriptors use their own
  /// comparison.
  init<Sample: HKSample>(_ descriptors: [SortDescriptor<Sample>]) {
    terms = []
    for descriptor in descriptors {
      if let keyPath = descriptor.keyPath,
        let field = SampleSortField(keyPath: keyPath, root: Sample.self)
      {
        terms.append(.field(field, ascending: descriptor.order == .forward))
        continue
      }
      terms.append(
        .comparator { left, right in
          // Queries for `Sample` compare no other objects; any others remain in place.
          guard let left = left as? Sample, let right = right as? Sample else {
            return .orderedSame
          }
          return descriptor.compare(left, right)
        })
    }
  }
}

/// An unknown key in a sort descriptor.
///
/// This is an addition: HealthKit raises an exception instead.
public struct HKSortKeyError: ArgumentError, CustomStringConvertible, Hashable, Sendable {
  /// The key.
  public let key: String

  /// A sentence that describes the error.
  public var description: String { "Samples have no '\(key)' to sort by." }
}

extension HKSortKeyError: LocalizedError {
  /// The same text as the description.
  public var errorDescription: String? { description }

  /// The same text as the description, which a printed `NSError` shows.
  public var failureReason: String? { description }
}
