internal import CPlatform

/// Counts the values that are decoded from blocks, for `make counts`.
///
/// A query that begins to decode a column that its answer does not need changes the count, and so
/// fails a check without a clock. Elsewhere counting is off and costs a load.
enum DecodedValues {
  @inline(__always)
  static func add(_ count: Int) { cplatform_count_values(Int64(count)) }
}
