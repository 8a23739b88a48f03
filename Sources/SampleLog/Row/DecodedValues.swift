internal import Synchronization

/// The number of values that were decoded from blocks, for `make counts`.
///
/// A query that begins to decode a column that its answer does not need increases it, and so fails
/// a check that measures no time. Nothing is counted until ``countDecodedValues()`` is called.
enum DecodedValues {
  nonisolated(unsafe) static var areCounted = false
  static let count = Atomic<UInt64>(0)

  @inline(__always)
  static func add(_ number: Int) {
    if areCounted { count.add(UInt64(number), ordering: .relaxed) }
  }
}

/// Begins to count decoded values; call it before any other thread uses the store.
@_cdecl("samplelog_count_decoded_values")
package func countDecodedValues() { DecodedValues.areCounted = true }

/// Returns the number of values that were decoded since.
@_cdecl("samplelog_decoded_values")
package func decodedValues() -> UInt64 { DecodedValues.count.load(ordering: .relaxed) }
