/// Columns of doubles that change steadily, as in a route: deltas, deltas of deltas and so on.
///
/// A block's columns are read from the middle and know one order of deltas, which the integers
/// bring along; a chunk of points is always read whole, and its altitude takes half the bytes as
/// deltas of the fourth order. The bytes are drawn in Docs/format.md.
package enum DeltaCodec {
  /// All numbers have the same bits.
  static let constant: UInt8 = 0
  /// The numbers of the column before.
  static let same: UInt8 = 1
  /// Integers under a model, as deltas of some order.
  static let deltas: UInt8 = 2
  /// As a column of doubles that no model fits.
  static let doubles: UInt8 = 3

  static let maximumOrder = 6

  /// Replaces numbers by their deltas but for the first `order`, which lead back to them.
  static func difference(_ numbers: UnsafeMutablePointer<Int64>, count: Int, order: Int) {
    for level in 0..<order { step(numbers, count: count, level: level) }
  }

  /// Replaces deltas of one order by those of the next.
  private static func step(_ numbers: UnsafeMutablePointer<Int64>, count: Int, level: Int) {
    for index in stride(from: count - 1, to: level, by: -1) {
      numbers[index] &-= numbers[index - 1]
    }
  }

  /// The inverse of ``difference(_:count:order:)``.
  static func sum(_ numbers: UnsafeMutablePointer<Int64>, count: Int, order: Int) {
    for level in stride(from: order, to: 0, by: -1) {
      var sum = numbers[level - 1]
      for index in level..<max(level, count) {
        sum &+= numbers[index]
        numbers[index] = sum
      }
    }
  }

  /// Replaces numbers by the deltas that have the fewest bits, and returns their order.
  static func differenceBest(_ numbers: UnsafeMutablePointer<Int64>, count: Int) -> Int {
    var order = 0
    var fewest = bits(numbers, count: count, from: 0)
    while order < min(maximumOrder, count - 1) {
      step(numbers, count: count, level: order)
      let fewer = bits(numbers, count: count, from: order + 1)
      if fewer >= fewest {
        // One too far.
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
