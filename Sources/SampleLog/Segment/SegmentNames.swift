/// The names that a segment uses.
struct SegmentNames {
  /// Types, units, sources and devices by the number that the file has for them.
  ///
  /// The first is the empty name. In versions 1 and 2 of the format subjects are among them.
  var symbols: [Symbol]
  /// The subjects, in the order of their names' bytes, by the number that the file has for them.
  var subjects: SubjectList

  /// Every so many a subject's name is whole, so that few bytes cannot name gigabytes.
  private static let restart = 16

  /// Writes names; the subjects' names are in order, and of most is written what the one before
  /// does not begin with.
  static func encode(symbols: [[UInt8]], subjects: [[UInt8]]) -> [UInt8] {
    var writer = ByteWriter()
    writer.varint(UInt64(symbols.count))
    for name in symbols { writer.string(name) }
    writer.varint(UInt64(subjects.count))
    var last: [UInt8] = []
    for (index, name) in subjects.enumerated() {
      if index % restart == 0 { last = [] }
      let shared = zip(last, name).prefix { $0 == $1 }.count
      writer.varint(UInt64(shared))
      writer.string([UInt8](name[shared...]))
      last = name
    }
    return writer.bytes
  }

  /// Reads the names of a file of some version of the format.
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
      subjects = try table.subjects(named: rest) { _ throws(CodecError) in
        table.intern(try Self.readSubjects(rest))
      }
    }
  }

  private static func readSubjects(
    _ bytes: UnsafeRawBufferPointer
  ) throws(CodecError) -> [[UInt8]] {
    var reader = ByteReader(bytes)
    guard let count = reader.varint(), count <= UInt64(reader.remaining) else {
      throw CodecError("impossible count of subjects")
    }
    var names: [[UInt8]] = []
    names.reserveCapacity(Int(count))
    var name: [UInt8] = []
    for index in 0..<Int(count) {
      let most = index % restart == 0 ? 0 : name.count
      guard let shared = reader.varint(), shared <= UInt64(most), let length = reader.varint(),
        length <= UInt64(reader.remaining), let rest = reader.slice(Int(length))
      else { throw CodecError("cut subjects") }
      name.removeSubrange(Int(shared)...)
      name.append(contentsOf: rest)
      if let last = names.last, !last.precedes(name) { throw CodecError("subjects out of order") }
      // A copy of its own: the next goes on with these bytes.
      names.append(name.withUnsafeBytes { [UInt8]($0) })
    }
    guard reader.isAtEnd else { throw CodecError("bytes behind the last subject") }
    return names
  }
}
