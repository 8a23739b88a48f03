/// Columns of steadily changing doubles, as in a route, stored as deltas of up to sixth order.
///
/// A block's columns support random access, so they use first-order deltas only, which the integer
/// codec provides. A chunk of points is always decoded completely; fourth-order deltas halve the
/// size of its altitudes. Docs/format.md describes the encoding.
package enum DeltaCodec {
  /// All numbers have the same bit pattern.
  static let constant: UInt8 = 0
  /// The numbers equal those of the previous column.
  static let same: UInt8 = 1
  /// Integers under a model, stored as deltas of some order.
  static let deltas: UInt8 = 2
  /// A plain column of doubles, for numbers that fit no model.
  static let doubles: UInt8 = 3

  static let maximumOrder = 6

  /// Replaces numbers by their deltas, except the first `order`, which are the initial values of
  /// each order.
  static func difference(_ numbers: UnsafeMutablePointer<Int64>, count: Int, order: Int) {
    for level in 0..<order { step(numbers, count: count, level: level) }
  }

  /// Replaces deltas of one order by those of the next.
  private static func step(_ numbers: UnsafeMutablePointer<Int64>, count: Int, level: Int) {
    for index in stride(from: count - 1, to: level, by: -1) {
      numbers[index] &-= numbers[index - 1]
    }
  }

  /// Reverses ``difference(_:count:order:)``.
  static func sum(_ numbers: UnsafeMutablePointer<Int64>, count: Int, order: Int) {
    for level in stride(from: order, to: 0, by: -1) {
      var sum = numbers[level - 1]
      for index in level..<max(level, count) {
        sum &+= numbers[index]
        numbers[index] = sum
      }
    }
  }

  /// Replaces numbers by the deltas with the fewest total bits and returns the order of the deltas.
  static func differenceBest(_ numbers: UnsafeMutablePointer<Int64>, count: Int) -> Int {
    var order = 0
    var fewest = bits(numbers, count: count, from: 0)
    while order < min(maximumOrder, count - 1) {
      step(numbers, count: count, level: order)
      let fewer = bits(numbers, count: count, from: order + 1)
      if fewer >= fewest {
        // Reverts the last step, which increased the size.
        for index in order + 1..<count { numbers[index] &+= numbers[index - 1] }
        break
      }
      order += 1
      fewest = fewer
    }
    return order
  }

  private static func bits(_ numbers: UnsafePointer<Int64>, count: Int, from first: Int) -> Int {
    var total = 0
    for index in first..<count {
      total &+= 64 &- IntegerCodec.zigzag(numbers[index]).leadingZeroBitCount
    }
    return total
  }
}
