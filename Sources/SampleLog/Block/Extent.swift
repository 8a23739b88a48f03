/// The ranges that the rows of a block lie in, by which a reader skips blocks.
package struct Extent: Sendable {
  package var minStart = Double.infinity
  package var maxStart = -Double.infinity
  package var minEnd = Double.infinity
  package var maxEnd = -Double.infinity
  package var minSequence = UInt64.max
  package var maxSequence: UInt64 = 0
  package var minValue = Double.infinity
  package var maxValue = -Double.infinity
  /// Whether the rows are in order of start.
  package var isSorted = true

  package init() {}

  @inline(__always)
  package mutating func include(start: Double, end: Double, sequence: UInt64, value: Double) {
    if start < maxStart { isSorted = false }
    minStart = min(minStart, start)
    maxStart = max(maxStart, start)
    minEnd = min(minEnd, end)
    maxEnd = max(maxEnd, end)
    minSequence = min(minSequence, sequence)
    maxSequence = max(maxSequence, sequence)
    minValue = min(minValue, value)
    maxValue = max(maxValue, value)
  }
}
