/// The side of the body on which a device was worn.
public enum HKDevicePlacementSide: Int, Sendable {
  /// Unknown.
  case unknown = 0

  /// Left.
  case left = 1

  /// Right.
  case right = 2

  /// Central.
  case central = 3
}
