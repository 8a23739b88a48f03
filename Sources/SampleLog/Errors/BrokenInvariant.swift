/// An invariant that the engine's own code violated, regardless of its input and of the disk.
///
/// The `checkInvariants()` methods throw it. Tests call them; they read every row.
package struct BrokenInvariant: Error, CustomStringConvertible {
  package let description: String

  /// Throws if an invariant does not hold.
  static func check(
    _ holds: Bool, _ description: @autoclosure () -> String
  ) throws(BrokenInvariant) {
    guard holds else { throw BrokenInvariant(description: description()) }
  }
}
