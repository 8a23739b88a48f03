/// The swimming stroke style.
public enum HKSwimmingStrokeStyle: Int, Sendable {
  /// Unknown.
  case unknown = 0

  /// Mixed.
  case mixed = 1

  /// Freestyle.
  case freestyle = 2

  /// Backstroke.
  case backstroke = 3

  /// Breaststroke.
  case breaststroke = 4

  /// Butterfly.
  case butterfly = 5

  /// Kickboard.
  case kickboard = 6
}
