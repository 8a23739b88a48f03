/// The user's skin type on the Fitzpatrick scale, by its reaction to the sun.
public enum HKFitzpatrickSkinType: Int, Sendable {
  /// Not entered.
  case notSet = 0

  /// Pale white skin that always burns.
  case I = 1

  /// White skin that burns easily.
  case II = 2

  /// White to light brown skin that burns moderately.
  case III = 3

  /// Beige to brown skin that burns a little.
  case IV = 4

  /// Brown skin that rarely burns.
  case V = 5

  /// Dark brown to black skin that never burns.
  case VI = 6
}
