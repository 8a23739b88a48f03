/// The form into which a peer must convert every row that it reads.
struct BenchmarkRow {
  var sequence: UInt64 = 0
  /// Milliseconds since 1970.
  var start: Int64 = 0
  /// Milliseconds since 1970.
  var end: Int64 = 0
  var value = 0.0
  var identifier = StreamIdentifier()
  var subject: UInt32 = 0
  var type: UInt8 = 0
  var unit: UInt8 = 0
  var source: UInt8 = 0
  var device: UInt8 = 0
  var metadata = RowText()
}

extension BenchmarkRow {
  /// The row that a peer must return for this sample.
  init(_ sample: StreamSample) {
    sequence = sample.sequence
    start = sample.start
    end = sample.end
    value = sample.value
    identifier = sample.identifier
    subject = sample.subject
    type = sample.type
    unit = sample.unit
    source = sample.source
    device = sample.device
    if let text = StreamMetadata.text(type: type, metadata: sample.metadata) {
      metadata.assign(text)
    }
  }
}
