// Enumerations for prescriptions of glasses and contact lenses.

/// An eye.
public enum HKVisionEye: Int, Hashable, Sendable {
  /// The left eye.
  case left = 1

  /// The right eye.
  case right = 2
}

/// The type of a vision prescription.
public enum HKVisionPrescriptionType: UInt, Hashable, Sendable {
  /// Glasses.
  case glasses = 1

  /// Contact lenses.
  case contacts = 2
}

/// The direction of the thick edge of a prism.
public enum HKPrismBase: Int, Hashable, Sendable {
  /// No prism.
  case none = 0

  /// Up.
  case up = 1

  /// Down.
  case down = 2

  /// Towards the nose.
  case `in` = 3

  /// Away from the nose.
  case out = 4
}
