/// Columns of doubles, stored as integers under a lossless model or as they are.
///
/// Health values are usually decimal fractions, and dates are milliseconds since 1970 or fractions
/// of a binary clock. Each model maps such doubles to small integers. A value that the model cannot
/// restore bit for bit, such as a negative zero or a NaN, is stored separately as an exception.
package enum DoubleCodec {
  static let raw: UInt8 = 0
  /// Eight planes, each with one byte of every number, compressed.
  static let planes: UInt8 = 1
  /// `k / 10^e`.
  static let decimal: UInt8 = 2
  /// `k / 10^e - 978307200`: decimal fractions of seconds since 1970, expressed relative to 2001.
  static let epochDecimal: UInt8 = 3
  /// `k / 2^e`.
  static let binary: UInt8 = 4
  /// End dates that equal the start dates.
  static let sameAsStart: UInt8 = 5
  /// End dates as distances from the start dates, under the same model.
  static let afterStart: UInt8 = 6

  static let maximumDecimalExponent = 6
  static let maximumBinaryExponent = 60
  /// The number of seconds from 1970-01-01 to 2001-01-01.
  static let epoch = 978_307_200.0
  /// The bound below which scaled numbers can be rounded by adding and subtracting `rounder`.
  static let limit = 0x1p51
  static let rounder = 0x1.8p52

  static func powerOfTen(_ exponent: Int) -> Double {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10_000
    case 5: 100_000
    default: 1_000_000
    }
  }
}

/// A lossless mapping between doubles and integers.
package struct DoubleModel: Equatable {
  package var kind: UInt8
  package var exponent: Int

  /// Returns the integer of a double, or nil if the mapping does not restore the double bit for
  /// bit.
  @inline(__always)
  static func integer(_ value: Double, scale: Double, shift: Double) -> Int64? {
    let scaled = (value + shift) * scale
    // Also false for NaN.
    guard abs(scaled) < DoubleCodec.limit else { return nil }
    let integer = Int64((scaled + DoubleCodec.rounder) - DoubleCodec.rounder)
    let back = Double(integer) / scale - shift
    return back.bitPattern == value.bitPattern ? integer : nil
  }

  var shift: Double { kind == DoubleCodec.epochDecimal ? DoubleCodec.epoch : 0 }

  /// Decodes integers into doubles.
  @inline(__always)
  func decode(
    _ integers: UnsafePointer<Int64>, count: Int, into out: UnsafeMutablePointer<Double>
  ) {
    switch kind {
    case DoubleCodec.decimal where exponent == 0:
      for index in 0..<count { out[index] = Double(integers[index]) }
    case DoubleCodec.decimal:
      let scale = DoubleCodec.powerOfTen(exponent)
      for index in 0..<count { out[index] = Double(integers[index]) / scale }
    case DoubleCodec.epochDecimal:
      let scale = DoubleCodec.powerOfTen(exponent)
      for index in 0..<count { out[index] = Double(integers[index]) / scale - DoubleCodec.epoch }
    default:
      let scale = Double(sign: .plus, exponent: -exponent, significand: 1)
      for index in 0..<count { out[index] = Double(integers[index]) * scale }
    }
  }
}
