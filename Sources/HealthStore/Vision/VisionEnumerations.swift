// What prescriptions of glasses and contact lenses count.

/// An eye.
public enum HKVisionEye: Int, Hashable, Sendable {
  /// The left eye.
  case left = 1

  /// The right eye.
  case right = 2
}

/// What a prescription is for.
public enum HKVisionPrescriptionType: UInt, Hashable, Sendable {
  /// Glasses.
  case glasses = 1

  /// Contact lenses.
  case contacts = 2
}

/// Where the thick edge of a prism points.
public enum HKPrismBase: Int, Hashable, Sendable {
  /// Nowhere: there is no prism.
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
