public import Foundation

/// A sort descriptor that remembers its key, which Foundation's do not on Linux.
///
/// Compares samples by the field that the key names, in memory as well; HealthKit promises that
/// for queries only. Samples are all the same to a key that names no field.
final class SampleSortDescriptor: NSSortDescriptor {
  let sortKey: String
  let field: SampleSortField?

  init(sortKey: String, ascending: Bool) {
    self.sortKey = sortKey
    field = SampleSortField(key: sortKey)
    // Foundation demands a path to something comparable; `compare` is overridden and ignores it.
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

/// Gives `NSSortDescriptor` the initialiser with a key that Foundation lacks on Linux.
///
/// Only `NSSortDescriptor` conforms. A protocol's initialiser may assign `self`, so that the key
/// is kept; a class's may not.
public protocol HKKeySorting {}

extension NSSortDescriptor: HKKeySorting {}

extension HKKeySorting where Self: NSSortDescriptor {
  /// Makes a sort descriptor by a key: `HKSampleSortIdentifierStartDate`, `startDate` and so on.
  ///
  /// A query fails with an error when samples have nothing of that name.
  public init(key: String?, ascending: Bool) {
    let descriptor = SampleSortDescriptor(sortKey: key ?? "", ascending: ascending)
    guard let made = descriptor as? Self else {
      fatalError("A key makes an NSSortDescriptor, not a \(Self.self).")
    }
    self = made
  }
}
