/// A map from items to small numbers, for pages that touch few of a segment's many blocks or
/// series.
///
/// Its size does not grow with the segment.
struct SparseNumbers {
  private static let nearCount = 4096
  // The number of each item, plus one.
  private var near: [UInt32]
  private var far: [Int: UInt32] = [:]

  /// - Parameter count: The number of items.
  init(count: Int) { near = Array(repeating: 0, count: min(count, Self.nearCount)) }

  /// The number assigned to an item, below 2³² − 1, or nil if it has none.
  @inline(__always)
  subscript(item: Int) -> Int? {
    get {
      let known = item < near.count ? near[item] : far[item] ?? 0
      return known > 0 ? Int(known) - 1 : nil
    }
    set {
      let number = newValue.map { UInt32($0 + 1) } ?? 0
      if item < near.count { near[item] = number } else { far[item] = number }
    }
  }

  mutating func removeAll() {
    for index in near.indices { near[index] = 0 }
    far.removeAll(keepingCapacity: true)
  }
}
