/// One row of a ``CommitOrderWindow``, sized to one cache line.
///
/// Rows that are adjacent in commit order come from distant blocks, and reading one from columns
/// would touch ten cache lines.
///
/// The sequence number is not stored: it follows from the row's position in the order.
struct CommitOrderRecord: BitwiseCopyable {
  var id: Identifier
  var start: Double
  var end: Double
  var value: Double
  var unit: Symbol
  var source: Symbol
  var device: Symbol
  /// The number of the row's series in the segment.
  var series: UInt32
  /// The length of the extras in four bytes, followed by the extras; nil if the row has none.
  var extras: UnsafeRawPointer?
}

/// The columns that a deletion has in addition to those of a sample.
struct CommitOrderDeletion: BitwiseCopyable {
  /// The sequence number of the deleted sample.
  var target: UInt64
  var time: Double
}
