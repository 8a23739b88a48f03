/// How much memory the key indexes of a store's segments may take together.
package final class IndexMemory: Sendable {
  private let capacity: Int
  private let used = Locked(0)

  /// - Parameter capacity: In bytes.
  package init(capacity: Int) { self.capacity = capacity }

  /// Takes a part; false when there is not so much left.
  package func take(_ byteCount: Int) -> Bool {
    used.withLock { used in
      guard byteCount <= capacity - used else { return false }
      used += byteCount
      return true
    }
  }

  /// Gives back what was taken.
  package func giveBack(_ byteCount: Int) { used.withLock { $0 -= byteCount } }
}
