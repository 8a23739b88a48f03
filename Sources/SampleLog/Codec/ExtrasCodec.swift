/// Columns of extras: the distinct blobs, and the blob number of each row.
package enum ExtrasCodec {
  static let none: UInt8 = 0
  static let plain: UInt8 = 1
  static let compressed: UInt8 = 2

  /// Encodes blob numbers and the blobs that they refer to.
  ///
  /// `codes` holds for each row the position of its blob in `blobs` plus one, or 0. Every blob must
  /// be non-empty and in use.
  package static func encode(
    _ codes: UnsafePointer<Int64>, count: Int, blobs: [[UInt8]], integers: IntegerEncoder,
    into writer: inout ByteWriter
  ) {
    if blobs.isEmpty {
      writer.byte(none)
      writer.varint(UInt64(count))
      return
    }
    var body = ByteWriter()
    for blob in blobs { body.varint(UInt64(blob.count)) }
    for blob in blobs { body.append(blob) }
    let small = body.bytes.withUnsafeBytes {
      Compression.compress($0, limit: body.count - body.count / 8)
    }
    writer.byte(small == nil ? plain : compressed)
    writer.varint(UInt64(blobs.count))
    writer.varint(UInt64(body.count))
    if let small {
      writer.varint(UInt64(small.count))
      writer.append(small)
    } else {
      writer.append(body.bytes)
    }
    integers.encode(codes, count: count, into: &writer)
  }
}

/// A column of extras whose parameters have been decoded and validated.
package struct ExtrasColumn {
  package let blobCount: Int
  package let codes: IntegerColumn?
  private let body: UnsafeRawBufferPointer
  private let bodyCount: Int
  private let isCompressed: Bool
  private let count: Int

  /// Decodes the parameters of a column that extends to the end of the reader.
  ///
  /// ``RawMemory/slack`` bytes after it must be readable.
  package init(
    _ reader: inout ByteReader, count: Int, forOneRow: Bool = false
  ) throws(CodecError) {
    self.count = count
    guard let kind = reader.byte(), let number = reader.varint() else {
      throw CodecError("cut column of extras")
    }
    if kind == ExtrasCodec.none {
      guard number == UInt64(count), reader.isAtEnd else {
        throw CodecError("wrong count of extras")
      }
      (blobCount, codes, bodyCount, isCompressed) = (0, nil, 0, false)
      body = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    guard kind == ExtrasCodec.plain || kind == ExtrasCodec.compressed else {
      throw CodecError("unknown encoding of extras")
    }
    guard number > 0, number <= UInt64(count), let bodyLength = reader.varint(),
      bodyLength >= number, bodyLength <= UInt64(UInt32.max)
    else { throw CodecError("impossible count of extras") }
    blobCount = Int(number)
    bodyCount = Int(bodyLength)
    isCompressed = kind == ExtrasCodec.compressed
    let stored = isCompressed ? reader.varint() : bodyLength
    guard let stored, stored <= UInt64(reader.remaining), let bytes = reader.slice(Int(stored))
    else { throw CodecError("cut column of extras") }
    body = bytes
    codes = try IntegerColumn(&reader, count: count, forOneRow: forOneRow)
  }

  /// Decodes the blob numbers of a range of rows, and all blobs.
  ///
  /// The first row must be a multiple of ``IntegerCodec/sumStep``.
  ///
  /// - Returns: The memory that holds the blobs' bytes, or nil if there are no blobs.
  package func decode(
    rows: Range<Int>, codes out: UnsafeMutablePointer<UInt32>, blobs: UnsafeMutablePointer<Blob>,
    scratch: UnsafeMutablePointer<Int64>
  ) throws(CodecError) -> RawMemory? {
    guard let codes else {
      out.update(repeating: 0, count: rows.count)
      return nil
    }
    let memory = try locate(blobs)
    codes.decode(rows: rows, into: scratch)
    let limit = UInt64(blobCount)
    var greatest: UInt64 = 0
    for row in 0..<rows.count {
      let code = UInt64(bitPattern: scratch[row])
      greatest = max(greatest, code)
      out[row] = UInt32(truncatingIfNeeded: code)
    }
    guard greatest <= limit else { throw CodecError("extras that do not exist") }
    return memory
  }

  /// All blobs of a column, in separately owned memory.
  package final class Blobs: @unchecked Sendable {
    package let memory: RawMemory
    private let blobs: UnsafeMutableBufferPointer<Blob>

    fileprivate init(_ column: ExtrasColumn) throws(CodecError) {
      blobs = .allocate(capacity: column.blobCount)
      guard let first = blobs.baseAddress else { throw CodecError("no extras") }
      do throws(CodecError) {
        memory = try column.locate(first)
      } catch {
        blobs.deallocate()
        throw error
      }
    }

    deinit { blobs.deallocate() }

    var byteCount: Int { memory.count + blobs.count * MemoryLayout<Blob>.stride }

    package subscript(index: Int) -> Blob { blobs[index] }
  }

  /// Decodes all blobs.
  ///
  /// Returns nil if there are none.
  package func allBlobs() throws(CodecError) -> Blobs? { codes == nil ? nil : try Blobs(self) }

  /// Returns a valid blob number, or 0 for no blob.
  ///
  /// Throws if the number is out of range.
  static func check(_ code: Int64, blobCount: Int) throws(CodecError) -> Int {
    guard code >= 0, code <= blobCount else { throw CodecError("extras that do not exist") }
    return Int(code)
  }

  // Blobs outlive the bytes of the column, so they are copied.
  private func locate(_ blobs: UnsafeMutablePointer<Blob>) throws(CodecError) -> RawMemory {
    let memory: RawMemory
    if isCompressed {
      memory = try Compression.decompress(body, count: bodyCount)
    } else {
      memory = RawMemory(bodyCount)
      memory.writable.copyMemory(from: body)
    }
    defer { withExtendedLifetime(memory) {} }
    var reader = ByteReader(memory.bytes)
    for index in 0..<blobCount {
      guard let length = reader.varint(), length > 0, length <= UInt64(memory.count) else {
        throw CodecError("impossible length of extras")
      }
      (blobs + index).initialize(
        to: Blob(address: UnsafeRawPointer(memory.base), count: Int(length)))
    }
    for index in 0..<blobCount {
      guard let bytes = reader.slice(blobs[index].count), let base = bytes.baseAddress else {
        throw CodecError("extras longer than their bytes")
      }
      blobs[index].address = base
    }
    guard reader.isAtEnd else { throw CodecError("bytes after the last extras") }
    return memory
  }
}
