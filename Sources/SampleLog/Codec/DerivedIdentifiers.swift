/// A column of identifiers that are computed from the sequence numbers of their rows.
///
/// If a process commits samples in the order in which it created them, the identifiers are numbers
/// in a stream that rise with the sequence numbers. Their distance is then constant within a block,
/// and the column takes a few dozen bytes.
package struct DerivedIdentifiers {
  /// The encoding byte of the column, distinct from those of ``IdentifierCodec``.
  package static let encoding: UInt8 = 3
  /// The maximum number of streams in a block.
  static let maximumStreams = 16

  /// The streams, in memory that blocks of the rows share.
  let shared: SharedStreams
  /// The stream index of each row, or nil if there is only one stream.
  private let codes: IntegerColumn?
  /// The distance of each row's stream number from its sequence number.
  private let distances: IntegerColumn
  // The same columns for random access.
  private let codeOfRow: RandomAccessIntegers
  private let distanceOfRow: RandomAccessIntegers

  /// Decodes the parameters of a column.
  ///
  /// ``RawMemory/slack`` bytes after the column must be readable.
  package init(_ column: UnsafeRawBufferPointer, count: Int) throws(CodecError) {
    var reader = ByteReader(column)
    guard reader.byte() == Self.encoding, let written = reader.fixed(UInt16.self),
      Int(written) == count
    else { throw CodecError("wrong count of identifiers") }
    guard let streamCount = reader.byte(), 1...Self.maximumStreams ~= Int(streamCount) else {
      throw CodecError("impossible count of identifiers' streams")
    }
    var streams: [IdentifierStream] = []
    for _ in 0..<streamCount {
      guard let high = reader.fixed64(), let first = reader.fixed64(),
        let second = reader.fixed64()
      else { throw CodecError("cut streams of identifiers") }
      let stream = IdentifierStream(high: high, key: Identifier(high: first, low: second))
      guard stream.high == high else { throw CodecError("identifiers of no version") }
      streams.append(stream)
    }
    shared = SharedStreams(streams)
    if streamCount > 1 {
      guard let length = reader.varint(), length <= UInt64(reader.remaining),
        let bytes = reader.slice(Int(length))
      else { throw CodecError("cut streams of identifiers") }
      var part = ByteReader(bytes)
      codes = try IntegerColumn(&part, count: count)
    } else {
      codes = nil
    }
    distances = try IntegerColumn(&reader, count: count)
    codeOfRow = codes.map { RandomAccessIntegers($0) } ?? .zero
    distanceOfRow = RandomAccessIntegers(distances)
  }

  // MARK: Reading

  package var streams: UnsafeBufferPointer<IdentifierStream> { shared.streams }

  /// Decodes the stream index and stream number of each row, from which ``IdentifierColumn``
  /// computes the identifiers.
  ///
  /// There must be at least one row, and the first must be a multiple of ``IntegerCodec/sumStep``.
  /// `sequences` holds the sequence numbers of the rows.
  package func decode(
    rows: Range<Int>, _ sequences: UnsafePointer<UInt64>,
    into out: UnsafeMutablePointer<Identifier>, scratch: UnsafeMutablePointer<Int64>
  ) throws(CodecError) {
    if let codes {
      codes.decode(rows: rows, into: scratch)
      for row in 0..<rows.count { out[row].high = try check(code: scratch[row]) }
    } else {
      for row in 0..<rows.count { out[row].high = 0 }
    }
    distances.decode(rows: rows, into: scratch)
    var greatest: UInt64 = 0
    for row in 0..<rows.count {
      let number = UInt64(bitPattern: scratch[row]) &+ sequences[row]
      greatest = max(greatest, number)
      out[row].low = number
    }
    guard greatest < IdentifierStream.limit else { throw CodecError("an impossible identifier") }
  }

  /// Returns the stream index and stream number of one row.
  package func decode(row: Int, sequence: UInt64) throws(CodecError) -> Identifier {
    let number = UInt64(bitPattern: distanceOfRow[row]) &+ sequence
    guard number < IdentifierStream.limit else { throw CodecError("an impossible identifier") }
    return Identifier(high: try check(code: codeOfRow[row]), low: number)
  }

  private func check(code: Int64) throws(CodecError) -> UInt64 {
    guard code >= 0, code < streams.count else { throw CodecError("a stream that does not exist") }
    return UInt64(code)
  }

  /// The rows that may have an identifier, as determined without sequence numbers.
  package enum Position: Equatable {
    /// No row has the identifier.
    case none
    /// Only the row with this sequence number can have the identifier.
    case at(UInt64)
    /// Any row may have the identifier.
    case anywhere
  }

  package func position(of id: Identifier) -> Position {
    guard let stream = streams.first(where: { $0.contains(id) }) else { return .none }
    guard codes == nil, let distance = distances.constant else { return .anywhere }
    return .at(stream.number(of: id) &- UInt64(bitPattern: distance))
  }

  // MARK: Writing

  /// Appends the column if all identifiers belong to known streams and it takes fewer than `limit`
  /// bytes.
  ///
  /// Returns whether it was appended.
  package static func encode(
    _ ids: UnsafePointer<Identifier>, sequences: UnsafePointer<UInt64>, count: Int,
    limit: @autoclosure () -> Int, known: (UInt64) -> IdentifierStream?, integers: IntegerEncoder,
    into writer: inout ByteWriter
  ) -> Bool {
    // In most blocks, either all identifiers belong to known streams or none do.
    guard let first = known(ids[0].high) else { return false }
    var streams = [first]
    let words = UnsafeMutablePointer<Int64>.allocate(capacity: count * 2)
    defer { words.deallocate() }
    let (codes, numbers) = (words, UnsafeMutablePointer<Int64>(words + count))
    var current = 0
    for row in 0..<count {
      if !streams[current].contains(ids[row]) {
        if let other = streams.firstIndex(where: { $0.contains(ids[row]) }) {
          current = other
        } else if streams.count < maximumStreams, let stream = known(ids[row].high),
          stream.contains(ids[row])
        {
          current = streams.count
          streams.append(stream)
        } else {
          return false
        }
      }
      codes[row] = Int64(current)
      numbers[row] = Int64(bitPattern: ids[row].low)
    }
    let begin = writer.count
    writer.byte(encoding)
    writer.fixed(UInt16(count))
    writer.byte(UInt8(streams.count))
    for stream in streams {
      writer.fixed(stream.high)
      writer.fixed(stream.key.high)
      writer.fixed(stream.key.low)
    }
    var row = 0
    while row < count {
      var end = row + 1
      while end < count, codes[end] == codes[row] { end += 1 }
      let run = UnsafeMutableRawPointer(numbers + row).assumingMemoryBound(to: UInt64.self)
      streams[Int(codes[row])].decipher(run, count: end - row)
      row = end
    }
    for row in 0..<count {
      numbers[row] = numbers[row] &- Int64(bitPattern: sequences[row])
    }
    if streams.count > 1 {
      var part = ByteWriter()
      integers.encode(codes, count: count, into: &part)
      writer.varint(UInt64(part.count))
      writer.append(part.bytes)
    }
    integers.encode(numbers, count: count, into: &writer)
    if writer.count - begin < limit() { return true }
    writer.bytes.removeLast(writer.count - begin)
    return false
  }
}
