/// The names that a segment refers to by number.
struct SegmentNames {
  /// The types, units, sources and devices, by their number in the file.
  ///
  /// The first is the empty name. In format versions 1 and 2 the subjects are included.
  var symbols: [Symbol]
  /// The subjects by their number in the file, sorted by the bytes of their names.
  var subjects: SubjectList

  /// Encodes names; `subjects` must be sorted by their bytes.
  static func encode(symbols: [[UInt8]], subjects: [[UInt8]]) -> [UInt8] {
    var writer = ByteWriter()
    writer.varint(UInt64(symbols.count))
    for name in symbols { writer.string(name) }
    SubjectNames.encode(subjects, into: &writer)
    return writer.bytes
  }

  /// Parses the names of a file of the given format version.
  init(
    _ bytes: UnsafeRawBufferPointer, version: UInt32, _ table: SymbolTable
  ) throws(CodecError) {
    var reader = ByteReader(bytes)
    guard let count = reader.varint(), count > 0, count <= UInt64(bytes.count) else {
      throw CodecError("impossible count of symbols")
    }
    var names: [[UInt8]] = []
    names.reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let name = reader.string() else { throw CodecError("cut symbols") }
      names.append(name)
    }
    guard names[0].isEmpty else { throw CodecError("symbols make no sense") }
    symbols = names.map { table.intern($0) }
    if version < 3 {
      guard reader.isAtEnd else { throw CodecError("symbols make no sense") }
      subjects = SubjectList(symbols)
    } else {
      guard let rest = reader.slice(reader.remaining) else { throw CodecError("cut subjects") }
      subjects = try table.subjects(named: rest)
    }
  }
}
