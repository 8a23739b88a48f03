internal import CPlatform

/// A counter of the values that are decoded from blocks, for `make counts`.
///
/// A change that makes a query decode a column it does not need increases the count, so the check
/// detects it without timing. In other programs counting is off and costs one load.
enum DecodedValues {
  @inline(__always)
  static func add(_ count: Int) { cplatform_count_values(Int64(count)) }
}
