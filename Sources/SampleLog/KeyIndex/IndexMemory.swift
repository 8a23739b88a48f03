/// The memory budget that the key indexes of a store's segments share.
package final class IndexMemory: Sendable {
  private let capacity: Int
  private let used = Locked(0)

  /// - Parameter capacity: The budget, in bytes.
  package init(capacity: Int) { self.capacity = capacity }

  /// Reserves a part of the budget.
  ///
  /// Returns false if too little is left.
  package func take(_ byteCount: Int) -> Bool {
    used.withLock { used in
      guard byteCount <= capacity - used else { return false }
      used += byteCount
      return true
    }
  }

  /// Returns a reserved part to the budget.
  package func giveBack(_ byteCount: Int) { used.withLock { $0 -= byteCount } }
}
