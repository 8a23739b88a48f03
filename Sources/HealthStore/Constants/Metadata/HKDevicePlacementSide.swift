/// The side of the body a device was worn on.
public enum HKDevicePlacementSide: Int, Sendable {
  /// Not known.
  case unknown = 0

  /// Left.
  case left = 1

  /// Right.
  case right = 2

  /// Central.
  case central = 3
}
