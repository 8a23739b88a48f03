/// The cheapest layout of integers: a base, a width, and the treatment of outliers.
///
/// The plan is computed in one pass over the numbers. It counts their distances from a pivot by
/// magnitude, which suffices to compute the cost of every range of magnitudes. Numbers outside the
/// cheapest range become exceptions. If one number is very frequent, a bitmap of the rows that have
/// it can be cheaper still.
package struct IntegerPlan {
  package var cost: Int
  package var base: Int64
  package var width: Int
  package var exceptions: Int
  /// The most frequent number, if a bitmap marks the other rows.
  package var mode: Int64?

  // Counts by magnitude. Index i of `above` counts distances of i bits (0 is the pivot itself);
  // index i of `below` counts negative distances whose complement has i bits.
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

  /// Returns the median of a sample, which is the most frequent number if that occurs in most rows.
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
    // An exception costs its position and its zigzag-encoded distance.
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
    // Extends the range below the pivot by one magnitude at a time, and for each tries all ranges
    // above.
    for b in magnitudesBelow {
      var top: Int64 = .min
      if b >= 0 {
        covered += histogram.below[b]
        low = histogram.least[b]
        // The greatest distance below the pivot is not recorded, so its upper bound is used.
        let nearest = magnitudesBelow[1]
        top = nearest == 0 ? -1 : -1 &- (1 << Int64(nearest - 1))
      }
      var bottom = low
      var inside = covered
      for a in magnitudesAbove {
        if a >= 0 {
          // The least distance of a magnitude above the pivot is not recorded either.
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
    // At least one candidate covers all numbers.
    cost = best?.cost ?? .max
    base = best?.base ?? 0
    width = best?.width ?? 64
    exceptions = best?.exceptions ?? 0
  }
}
