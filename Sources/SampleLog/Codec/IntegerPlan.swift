/// How to store integers in the fewest bits: a base, a width, and what to do with those outside.
///
/// Built from one pass over the numbers. Their distances from a typical one are counted by
/// magnitude, which is enough to price every range of magnitudes; numbers outside the cheapest
/// range become exceptions. When one number is very frequent, a bit for each row that says
/// whether it is that one can be cheaper still.
package struct IntegerPlan {
  package var cost: Int
  package var base: Int64
  package var width: Int
  package var exceptions: Int
  /// The frequent number, when rows that have it are marked by a bit.
  package var mode: Int64?

  // Magnitudes: index i of `above` counts distances of i bits (0 is the pivot itself), index i of
  // `below` counts distances whose complement has i bits.
  private struct Histogram {
    var pivot: Int64
    var above = [Int](repeating: 0, count: 65)
    var below = [Int](repeating: 0, count: 65)
    var greatest = [Int64](repeating: 0, count: 65)
    var least = [Int64](repeating: 0, count: 65)
  }

  package init(_ values: UnsafePointer<Int64>, count: Int) {
    var histogram = Histogram(pivot: IntegerPlan.pivot(values, count: count))
    IntegerPlan.fill(&histogram, values, count: count)
    let plain = IntegerPlan(histogram, count: count, skippingPivot: false)
    let frequent = histogram.above[0]
    guard frequent > count / 3, frequent < count else {
      self = plain
      return
    }
    var sparse = IntegerPlan(histogram, count: count - frequent, skippingPivot: true)
    sparse.cost += count
    sparse.mode = histogram.pivot
    self = sparse.cost < plain.cost ? sparse : plain
  }

  /// Returns the median of a sample: near most numbers, and the most frequent one if that has half.
  private static func pivot(_ values: UnsafePointer<Int64>, count: Int) -> Int64 {
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: 33) { sample in
      let taken = min(33, count)
      for index in 0..<taken {
        // Insertion sort: the sample is small.
        let value = values[index * count / taken]
        var position = index
        while position > 0, sample[position - 1] > value {
          sample[position] = sample[position - 1]
          position -= 1
        }
        sample[position] = value
      }
      return sample[taken / 2]
    }
  }

  private static func fill(
    _ histogram: inout Histogram, _ values: UnsafePointer<Int64>, count: Int
  ) {
    let pivot = histogram.pivot
    histogram.above.withUnsafeMutableBufferPointer { above in
      histogram.below.withUnsafeMutableBufferPointer { below in
        histogram.greatest.withUnsafeMutableBufferPointer { greatest in
          histogram.least.withUnsafeMutableBufferPointer { least in
            for index in 0..<count {
              let distance = values[index] &- pivot
              if distance >= 0 {
                let bits = 64 &- distance.leadingZeroBitCount
                above[bits] &+= 1
                greatest[bits] = max(greatest[bits], distance)
              } else {
                let bits = 64 &- (~distance).leadingZeroBitCount
                below[bits] &+= 1
                least[bits] = min(least[bits], distance)
              }
            }
          }
        }
      }
    }
  }

  private init(_ histogram: Histogram, count: Int, skippingPivot: Bool) {
    // An exception costs its position and its distance, zigzag.
    var outer = 1
    for bits in 0...64 where histogram.above[bits] > 0 || histogram.below[bits] > 0 {
      outer = max(outer, bits + 2)
    }
    let exceptionCost = 16 + min(64, outer)
    let magnitudesBelow = [-1] + histogram.below.indices.filter { histogram.below[$0] > 0 }
    let magnitudesAbove =
      [-1]
      + histogram.above.indices.dropFirst(skippingPivot ? 1 : 0).filter {
        histogram.above[$0] > 0
      }
    var best: (cost: Int, base: Int64, width: Int, exceptions: Int)?
    var low: Int64 = .max
    var covered = 0
    // Take in numbers below the pivot, magnitude by magnitude, and for each those above it.
    for b in magnitudesBelow {
      var top: Int64 = .min
      if b >= 0 {
        covered += histogram.below[b]
        low = histogram.least[b]
        // The greatest distance below is not known; its upper bound serves.
        let nearest = magnitudesBelow[1]
        top = nearest == 0 ? -1 : -1 &- (1 << Int64(nearest - 1))
      }
      var bottom = low
      var inside = covered
      for a in magnitudesAbove {
        if a >= 0 {
          // Nor is the least distance of a magnitude above.
          if inside == 0 { bottom = a == 0 ? 0 : 1 << Int64(a - 1) }
          inside += histogram.above[a]
          top = histogram.greatest[a]
        }
        if inside == 0 { continue }
        let width = BitPacking.width(for: UInt64(bitPattern: top &- bottom))
        let exceptions = count - inside
        let cost = width * count + exceptions * exceptionCost
        if best.map({ cost < $0.cost }) ?? true {
          best = (cost, histogram.pivot &+ bottom, width, exceptions)
        }
      }
    }
    // Every number covered is among the candidates, so there is one.
    cost = best?.cost ?? .max
    base = best?.base ?? 0
    width = best?.width ?? 64
    exceptions = best?.exceptions ?? 0
  }
}
