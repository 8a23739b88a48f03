import Foundation

/// How numbers become heights of a drawing, with a few round numbers beside it.
struct ChartScale {
  let low: Double
  let high: Double
  let ticks: [Double]
  /// Digits behind the point that tell the ticks apart.
  let digits: Int

  /// The greatest magnitude of a scale, whose sums and differences are finite.
  private static let limit = 1e300
  /// The least difference that a scale shows, as a share of its numbers and by itself.
  private static let resolution = (share: 1e-9, difference: 1e-15)

  /// Covers some numbers, and zero if bars begin there.
  init(_ numbers: [Double], fromZero: Bool) {
    let numbers = numbers.map { max(-Self.limit, min(Self.limit, $0)) }
    var least = numbers.min() ?? 0
    var greatest = numbers.max() ?? 1
    if fromZero {
      least = min(least, 0)
      greatest = max(greatest, 0)
    }
    let smallest = max(
      Self.resolution.difference, max(abs(least), abs(greatest)) * Self.resolution.share)
    if greatest - least < smallest {
      // One number, or what looks like one, is drawn in the middle.
      let margin = max(abs(least) * 0.1, 1)
      (least, greatest) = (fromZero ? least : least - margin, greatest + margin)
    }
    let rough = (greatest - least) / 4
    let power = pow(10, floor(log10(rough)))
    let step = ([1, 2, 2.5, 5].first { $0 * power >= rough } ?? 10) * power
    let first = (least / step).rounded(.down)
    let last = (greatest / step).rounded(.up)
    low = first * step
    high = last * step
    ticks = stride(from: first, through: last, by: 1).map { $0 * step }
    let exponent = Int(floor(log10(step)))
    let isHalf = (step / pow(10, Double(exponent)) * 2).rounded() == 5
    digits = max(0, -exponent + (isHalf ? 1 : 0))
  }

  /// Returns the height of a number between the bottom (0) and the top (1).
  func part(_ number: Double) -> Double { Self.part(number, from: low, to: high) }

  /// Returns the position of a number between two others, from 0 to 1, or 0.5 if they are equal.
  static func part(_ number: Double, from low: Double, to high: Double) -> Double {
    // Of halves the difference is finite.
    let limited = max(low, min(high, number))
    let part = (limited / 2 - low / 2) / (high / 2 - low / 2)
    return part.isFinite ? part : 0.5
  }
}
