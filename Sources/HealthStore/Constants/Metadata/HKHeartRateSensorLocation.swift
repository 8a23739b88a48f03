/// The sensor location of a heart rate.
public enum HKHeartRateSensorLocation: Int, Sendable {
  /// Another location.
  case other = 0

  /// Chest.
  case chest = 1

  /// Wrist.
  case wrist = 2

  /// Finger.
  case finger = 3

  /// Hand.
  case hand = 4

  /// Ear lobe.
  case earLobe = 5

  /// Foot.
  case foot = 6
}
