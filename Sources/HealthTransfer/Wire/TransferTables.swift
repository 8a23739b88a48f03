/// The values that the samples of a batch share, referenced by index.
struct TransferTables {
  /// The minimum size of an encoded sample, in bytes.
  static let leastBytes = 21

  /// The names of types and units.
  private(set) var names: [String] = []
  private(set) var sources: [[UInt8]] = []
  private(set) var devices: [[UInt8]] = []
  private var numbers: [String: Int] = [:]
  private var sourceNumbers: [[UInt8]: Int] = [:]
  private var deviceNumbers: [[UInt8]: Int] = [:]

  private enum Flag {
    static let moment: UInt8 = 1
    static let unit: UInt8 = 2
    static let device: UInt8 = 4
    static let metadata: UInt8 = 8
    static let contents: UInt8 = 16
    static let parts: UInt8 = 32
    static let known: UInt8 = 63
  }

  /// Creates the tables of some samples.
  init(of samples: [TransferSample]) {
    for sample in samples {
      Self.add(sample.type, &names, &numbers)
      if let unit = sample.unit { Self.add(unit, &names, &numbers) }
      Self.add(sample.source, &sources, &sourceNumbers)
      if let device = sample.device { Self.add(device, &devices, &deviceNumbers) }
    }
  }

  private static func add<Value: Hashable>(
    _ value: Value, _ values: inout [Value], _ numbers: inout [Value: Int]
  ) {
    if numbers[value] != nil { return }
    numbers[value] = values.count
    values.append(value)
  }

  /// Whether a reader accepts the tables.
  var areWithinLimits: Bool {
    names.count <= TransferLimit.names && sources.count <= TransferLimit.origins
      && devices.count <= TransferLimit.origins
  }

  func write(to writer: inout WireWriter) {
    writer.list(names) { $0.text($1) }
    writer.list(sources) { $0.string($1) }
    writer.list(devices) { $0.string($1) }
  }

  init(_ reader: inout WireReader) throws(TransferError) {
    names = try reader.list(of: "names", atMost: TransferLimit.names) {
      reader throws(TransferError) in try reader.text("bytes of a name")
    }
    sources = try reader.list(of: "sources", atMost: TransferLimit.origins) {
      reader throws(TransferError) in
      try reader.string("bytes of a source", atMost: TransferLimit.originBytes)
    }
    devices = try reader.list(of: "devices", atMost: TransferLimit.origins) {
      reader throws(TransferError) in
      try reader.string("bytes of a device", atMost: TransferLimit.originBytes)
    }
  }

  func write(_ sample: TransferSample, to writer: inout WireWriter) {
    let isMoment = sample.end.bitPattern == sample.start.bitPattern
    writer.byte(
      (isMoment ? Flag.moment : 0) | (sample.unit == nil ? 0 : Flag.unit)
        | (sample.device == nil ? 0 : Flag.device)
        | (sample.metadata.isEmpty ? 0 : Flag.metadata)
        | (sample.contents.isEmpty ? 0 : Flag.contents)
        | (sample.parts.isEmpty ? 0 : Flag.parts))
    writer.identifier(sample.id)
    writer.count(numbers[sample.type, default: 0])
    writer.count(sourceNumbers[sample.source, default: 0])
    writer.number(sample.start)
    if !isMoment { writer.number(sample.end) }
    writer.number(sample.value)
    if let unit = sample.unit { writer.count(numbers[unit, default: 0]) }
    if let device = sample.device { writer.count(deviceNumbers[device, default: 0]) }
    if !sample.metadata.isEmpty { writer.string(sample.metadata) }
    if !sample.contents.isEmpty { writer.string(sample.contents) }
    if !sample.parts.isEmpty { writer.list(sample.parts) { $1.write(to: &$0) } }
  }

  func sample(_ reader: inout WireReader) throws(TransferError) -> TransferSample {
    let start = reader
    let flags = try reader.byte()
    guard flags & ~Flag.known == 0 else { throw start.malformed("flags \(flags)") }
    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
    let id = try reader.identifier()
    let type = try Self.entry(&reader, names, "name")
    let source = try Self.entry(&reader, sources, "source")
    let begin = try reader.number()
    var sample = TransferSample(
      id: id, type: type, start: begin, end: has(Flag.moment) ? begin : try reader.number(),
      source: source)
    sample.value = try reader.number()
    if has(Flag.unit) { sample.unit = try Self.entry(&reader, names, "name") }
    if has(Flag.device) { sample.device = try Self.entry(&reader, devices, "device") }
    if has(Flag.metadata) { sample.metadata = try reader.string("bytes of metadata") }
    if has(Flag.contents) { sample.contents = try reader.string("bytes of contents") }
    if has(Flag.parts) {
      sample.parts = try reader.list(of: "parts", bytesEach: 2) { reader throws(TransferError) in
        try TransferPart(&reader)
      }
    }
    return sample
  }

  private static func entry<Value>(
    _ reader: inout WireReader, _ values: [Value], _ what: String
  ) throws(TransferError) -> Value {
    let start = reader
    let number = try reader.varint()
    guard number < UInt64(values.count) else { throw start.malformed("no \(what) \(number)") }
    return values[Int(number)]
  }
}
