/// Converts units to UCUM, the Unified Code for Units of Measure.
enum UCUM {
  /// Returns the code of a canonical unit string such as `mL/min·kg`, or nil if a symbol has none.
  static func code(_ unit: String) -> String? {
    let sides = unit.split(separator: "/", maxSplits: 1)
    guard let numerator = sides.first else { return nil }
    var above: [String] = []
    for factor in numerator.split(separator: "·") where factor != "1" && factor != "()" {
      guard let code = code(factor: factor) else { return nil }
      above.append(code)
    }
    var below: [String] = []
    for factor in sides.dropFirst().first?.split(separator: "·") ?? [] {
      guard let code = code(factor: factor) else { return nil }
      below.append("/" + code)
    }
    // A rate of counts has no numerator: `/min`.
    if !below.isEmpty, above == [count] { above = [] }
    if above.isEmpty, below.isEmpty { return "1" }
    return above.joined(separator: ".") + below.joined()
  }

  private static let count = "{count}"

  private static func code(factor: Substring) -> String? {
    let parts = factor.split(separator: "^")
    guard let symbol = parts.first.flatMap({ code(symbol: $0) }) else { return nil }
    // The exponent directly follows the symbol.
    return symbol + (parts.count > 1 ? parts[1] : "")
  }

  private static func code(symbol: Substring) -> String? {
    if let known = symbols[String(symbol)] { return known }
    // UCUM's mole does not name the substance.
    let bare = symbol.prefix { $0 != "<" }
    for base in prefixable where bare.hasSuffix(base) {
      if let prefix = prefixes[String(bare.dropLast(base.count))] { return prefix + base }
    }
    return nil
  }

  /// The symbols that take prefixes.
  private static let prefixable = [
    "J", "W", "Pa", "V", "S", "lx", "mol", "L", "m", "s", "Hz", "K", "rad", "g",
  ]

  /// The prefixes of HealthKit and UCUM, which differ only in that for micro.
  private static let prefixes = [
    "": "", "f": "f", "p": "p", "n": "n", "mc": "u", "m": "m", "c": "c", "d": "d", "da": "da",
    "h": "h", "k": "k", "M": "M", "G": "G", "T": "T",
  ]

  private static let symbols = [
    "count": count, "%": "%", "IU": "[iU]", "appleEffortScore": "{score}", "cal": "cal",
    "kcal": "kcal", "Cal": "kcal", "mmHg": "mm[Hg]", "cmAq": "cm[H2O]", "atm": "atm",
    "inHg": "[in_i'Hg]", "dBASPL": "dB[SPL]", "dBHL": "dB{HL}", "D": "[diop]", "pD": "[p'diop]",
    "fl_oz_us": "[foz_us]", "fl_oz_imp": "[foz_br]", "pt_us": "[pt_us]", "pt_imp": "[pt_br]",
    "cup_us": "[cup_us]", "in": "[in_i]", "ft": "[ft_i]", "yd": "[yd_i]", "mi": "[mi_i]",
    "min": "min", "hr": "h", "d": "d", "degC": "Cel", "degF": "[degF]", "deg": "deg",
    "oz": "[oz_av]", "lb": "[lb_av]", "st": "[stone_av]",
  ]
}
