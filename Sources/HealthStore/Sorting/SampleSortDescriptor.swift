public import Foundation

/// A sort descriptor that stores its key; Foundation's do not on Linux.
///
/// Also compares samples in memory by the field of the key; HealthKit supports this in queries
/// only. For an unknown key, all samples are equal.
final class SampleSortDescriptor: NSSortDescriptor {
  let sortKey: String
  let field: SampleSortField?

  init(sortKey: String, ascending: Bool) {
    self.sortKey = sortKey
    field = SampleSortField(key: sortKey)
    // Foundation requires a key path to a comparable value; the overridden `compare` ignores it.
    super.init(keyPath: \HKSample.startDate, ascending: ascending)
  }

  required init?(coder: NSCoder) { nil }

  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    guard let field, let left = object1 as? HKSample, let right = object2 as? HKSample else {
      return .orderedSame
    }
    return ascending ? field.compare(left, right) : field.compare(right, left)
  }

  override var reversedSortDescriptor: Any {
    SampleSortDescriptor(sortKey: sortKey, ascending: !ascending)
  }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SampleSortDescriptor else { return false }
    return sortKey == other.sortKey && ascending == other.ascending
  }

  override var hash: Int { sortKey.hashValue }

  override var description: String { "(\(sortKey), \(ascending ? "ascending" : "descending"))" }
}

/// The initialiser of `NSSortDescriptor` with a key, which Foundation lacks on Linux.
///
/// Only `NSSortDescriptor` conforms. A protocol is necessary because its initialisers may assign
/// `self`, so that the key is kept; those of a class may not.
public protocol HKKeySorting {}

extension NSSortDescriptor: HKKeySorting {}

extension HKKeySorting where Self: NSSortDescriptor {
  /// Creates a sort descriptor for a key, such as `HKSampleSortIdentifierStartDate` or `startDate`.
  ///
  /// A query with an unknown key fails with an error.
  public init(key: String?, ascending: Bool) {
    let descriptor = SampleSortDescriptor(sortKey: key ?? "", ascending: ascending)
    guard let made = descriptor as? Self else {
      fatalError("A key makes an NSSortDescriptor, not a \(Self.self).")
    }
    self = made
  }
}
