/// One row of an ``ArrivalWindow``: a line of the cache, since neighbours come from blocks far
/// apart and a row in columns would touch ten lines.
///
/// Its sequence number is known from its position in the order.
struct ArrivalRecord: BitwiseCopyable {
  var id: Identifier
  var start: Double
  var end: Double
  var value: Double
  var unit: Symbol
  var source: Symbol
  var device: Symbol
  /// The number of its series in the segment.
  var series: UInt32
  /// The length of its extras in four bytes, then the extras; nil when it has none.
  var extras: UnsafeRawPointer?
}

/// What a deletion has beside what a sample has.
struct ArrivalDeletion: BitwiseCopyable {
  /// The sequence number of the sample that is gone.
  var target: UInt64
  var time: Double
}
