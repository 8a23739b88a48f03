/// A metric prefix of a unit.
public enum HKMetricPrefix: Int, Sendable {
  /// No prefix.
  case none = 0

  /// A trillionth, `p`.
  case pico = 1

  /// A billionth, `n`.
  case nano = 2

  /// A millionth, spelt `mc`.
  case micro = 3

  /// A thousandth, `m`.
  case milli = 4

  /// A hundredth, `c`.
  case centi = 5

  /// A tenth, `d`.
  case deci = 6

  /// Ten, `da`.
  case deca = 7

  /// A hundred, `h`.
  case hecto = 8

  /// A thousand, `k`.
  case kilo = 9

  /// A million, `M`.
  case mega = 10

  /// A billion, `G`.
  case giga = 11

  /// A trillion, `T`.
  case tera = 12

  /// A quadrillionth, `f`.
  case femto = 13
}

extension HKMetricPrefix {
  /// All prefixes.
  ///
  /// Not named `allCases`, because clients may add that conformance.
  static let every: [HKMetricPrefix] = [
    .none, .pico, .nano, .micro, .milli, .centi, .deci, .deca, .hecto, .kilo, .mega, .giga, .tera,
    .femto,
  ]

  /// The symbol of the prefix in unit strings, and its power of ten.
  var spelling: (symbol: String, exponent: Int) {
    switch self {
    case .none: ("", 0)
    case .pico: ("p", -12)
    case .nano: ("n", -9)
    case .micro: ("mc", -6)
    case .milli: ("m", -3)
    case .centi: ("c", -2)
    case .deci: ("d", -1)
    case .deca: ("da", 1)
    case .hecto: ("h", 2)
    case .kilo: ("k", 3)
    case .mega: ("M", 6)
    case .giga: ("G", 9)
    case .tera: ("T", 12)
    case .femto: ("f", -15)
    }
  }
}
