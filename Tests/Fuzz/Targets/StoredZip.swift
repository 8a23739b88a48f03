import SampleLog

/// Zip archives without compression, for tests.
public enum StoredZip {
  /// Returns an archive with the given files.
  public static func archive(_ entries: [(name: String, content: [UInt8])]) -> [UInt8] {
    var body = ByteWriter()
    var central = ByteWriter()
    for entry in entries {
      let offset = body.count
      let name = Array(entry.name.utf8)
      let size = UInt32(entry.content.count)
      func fields(_ writer: inout ByteWriter) {
        writer.fixed(UInt16(20))
        writer.fixed(UInt16(0x800))
        writer.fixed(UInt16(0))
        writer.fixed(UInt32(0x5A00_0000))
        writer.fixed(crc32(entry.content))
        writer.fixed(size)
        writer.fixed(size)
        writer.fixed(UInt16(name.count))
        writer.fixed(UInt16(0))
      }
      body.fixed(UInt32(0x0403_4B50))
      fields(&body)
      body.append(name)
      body.append(entry.content)
      central.fixed(UInt32(0x0201_4B50))
      central.fixed(UInt16(20))
      fields(&central)
      for _ in 0..<3 { central.fixed(UInt16(0)) }
      central.fixed(UInt32(0))
      central.fixed(UInt32(offset))
      central.append(name)
    }
    let start = body.count
    body.append(central.bytes)
    body.fixed(UInt32(0x0605_4B50))
    body.fixed(UInt32(0))
    body.fixed(UInt16(entries.count))
    body.fixed(UInt16(entries.count))
    body.fixed(UInt32(central.count))
    body.fixed(UInt32(start))
    body.fixed(UInt16(0))
    return body.bytes
  }

  /// The CRC-32 checksum of zip archives.
  public static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { state, byte in
      (0..<8).reduce(state ^ UInt32(byte)) { bits, _ in
        bits >> 1 ^ (bits & 1 == 1 ? 0xEDB8_8320 : 0)
      }
    }
  }
}
