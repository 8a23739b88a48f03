/// A rule that the engine's own code has broken, whatever it was given and the disk did.
///
/// The functions called `checkInvariants()` look for it, in tests, and read every row.
package struct BrokenInvariant: Error, CustomStringConvertible {
  package let description: String

  /// Throws when a rule does not hold.
  static func check(
    _ holds: Bool, _ description: @autoclosure () -> String
  ) throws(BrokenInvariant) {
    guard holds else { throw BrokenInvariant(description: description()) }
  }
}
