internal import CLZ4

/// The header of a log frame, which holds one commit.
///
/// The payload follows, padded to eight bytes.
package struct FrameHeader: Equatable, Sendable {
  package static let size = 64
  package static let magic: UInt32 = 0x4D52_4653  // "SFRM"
  /// The maximum size of a payload in bytes, compressed or not.
  ///
  /// Larger batches are rejected.
  package static let maximumPayload = 1 << 30

  /// The size of the stored payload in bytes, without padding.
  package var storedLength: Int
  /// The size of the decompressed payload in bytes; equal to `storedLength` if it is not
  /// compressed.
  package var rawLength: Int
  /// The sequence number of the first record.
  package var first: UInt64
  /// The number of sequence numbers that the commit takes.
  package var count: UInt32
  /// The highest sequence number known to be durable when the frame was written.
  package var durableThrough: UInt64
  /// The time of the commit, in seconds since 2001-01-01 00:00 UTC.
  package var time: Double
  package var payloadChecksum: UInt32
  package var salt: UInt64

  package var isCompressed: Bool { storedLength != rawLength }
  package var last: UInt64 { first + UInt64(count) - 1 }
  /// The total size of header, payload and padding, in bytes.
  package var frameLength: Int { (Self.size + storedLength + 7) & ~7 }

  package var encoded: [UInt8] {
    withFields(durableThrough: durableThrough, salt: salt) { fields in
      [UInt8](unsafeUninitializedCapacity: Self.size) { bytes, count in
        let bytes = UnsafeMutableRawBufferPointer(bytes)
        bytes.copyMemory(from: fields)
        bytes.storeBytes(
          of: checksum(fields).littleEndian, toByteOffset: fields.count, as: UInt32.self)
        count = fields.count + 4
      }
    }
  }

  /// Calls a closure with the encoded header without its own checksum.
  ///
  /// Called for every commit, so it does not allocate.
  func withFields<Result>(
    durableThrough: UInt64, salt: UInt64, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let fields = (
      Self.magic.littleEndian, UInt32(storedLength).littleEndian, UInt32(rawLength).littleEndian,
      count.littleEndian, first.littleEndian, durableThrough.littleEndian,
      time.bitPattern.littleEndian, salt.littleEndian, payloadChecksum.littleEndian, UInt32(0),
      UInt32(0)
    )
    return withUnsafeBytes(of: fields, body)
  }

  package init(
    storedLength: Int, rawLength: Int, first: UInt64, count: UInt32, durableThrough: UInt64,
    time: Double, payloadChecksum: UInt32, salt: UInt64
  ) {
    self.storedLength = storedLength
    self.rawLength = rawLength
    self.first = first
    self.count = count
    self.durableThrough = durableThrough
    self.time = time
    self.payloadChecksum = payloadChecksum
    self.salt = salt
  }

  /// Decodes a header of the log with the given salt.
  ///
  /// Returns nil if the bytes are not a valid header.
  package init?(_ bytes: UnsafeRawBufferPointer, salt expectedSalt: UInt64) {
    guard bytes.count >= Self.size else { return nil }
    var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[..<Self.size]))
    guard reader.fixed(UInt32.self) == Self.magic,
      let stored = reader.fixed(UInt32.self), let raw = reader.fixed(UInt32.self),
      let count = reader.fixed(UInt32.self), let first = reader.fixed64(),
      let durable = reader.fixed64(), let time = reader.double(), let salt = reader.fixed64(),
      let payload = reader.fixed(UInt32.self),
      salt == expectedSalt, count > 0, FileNames.isPossible(first), stored <= raw,
      raw <= Self.maximumPayload, UInt64(raw) <= UInt64(stored) * UInt64(Compression.maximumRatio),
      bytes.loadUnaligned(fromByteOffset: Self.size - 4, as: UInt32.self).littleEndian
        == checksum(UnsafeRawBufferPointer(rebasing: bytes[..<(Self.size - 4)]))
    else { return nil }
    self.init(
      storedLength: Int(stored), rawLength: Int(raw), first: first, count: count,
      durableThrough: durable, time: time, payloadChecksum: payload, salt: salt)
  }
}

/// A payload ready to be framed: compressed if that saves space, with its checksum.
package struct StoredPayload: Sendable {
  package var bytes: [UInt8]
  package var rawLength: Int
  package var checksum: UInt32

  package init(_ raw: [UInt8]) {
    bytes = Self.compressed(raw) ?? raw
    rawLength = raw.count
    checksum = SampleLog.checksum(bytes)
  }

  private static func compressed(_ raw: [UInt8]) -> [UInt8]? {
    // LZ4 saves almost nothing in smaller frames of columns.
    guard raw.count >= 256 else { return nil }
    return raw.withUnsafeBytes {
      Compression.compress($0, limit: raw.count - raw.count / 16, isKept: false)
    }
  }

  /// Returns the decompressed payload, or nil if it does not match the header.
  package static func raw(_ stored: UnsafeRawBufferPointer, header: FrameHeader) -> [UInt8]? {
    guard SampleLog.checksum(stored) == header.payloadChecksum else { return nil }
    guard header.isCompressed else { return [UInt8](stored) }
    var size: Int32 = -1
    let result = [UInt8](unsafeUninitializedCapacity: header.rawLength) { buffer, initialized in
      size = buffer.withMemoryRebound(to: CChar.self) { target in
        LZ4_decompress_safe(
          stored.bindMemory(to: CChar.self).baseAddress, target.baseAddress,
          Int32(stored.count), Int32(header.rawLength))
      }
      initialized = Int(max(size, 0))
    }
    return Int(size) == header.rawLength ? result : nil
  }
}
