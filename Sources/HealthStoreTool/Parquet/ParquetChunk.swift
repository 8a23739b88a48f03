import SampleLog

/// A column chunk: the pages of a column in one row group.
struct ParquetChunk {
  private struct Page {
    var kind: ParquetPageKind
    var encoding: ParquetEncoding
    var count: Int
    /// The definition levels, preceded by their length; empty for a dictionary page.
    var levels: [UInt8] = []
    var values: [UInt8]

    var byteCount: Int { levels.count + values.count }

    /// Returns the header of the page, whose body takes `byteCount` bytes in the file.
    func header(byteCount: Int) -> [UInt8] {
      ThriftWriter.structure { header in
        header.add(1, int32: kind.rawValue)
        header.add(2, int32: self.byteCount)
        header.add(3, int32: byteCount)
        switch kind {
        case .data:
          header.add(
            5,
            structure: { data in
              data.add(1, int32: count)
              data.add(2, int32: encoding.rawValue)
              // The encodings of definition levels and of repetition levels.
              data.add(3, int32: ParquetEncoding.hybrid.rawValue)
              data.add(4, int32: ParquetEncoding.hybrid.rawValue)
            })
        case .dictionary:
          header.add(
            7,
            structure: { dictionary in
              dictionary.add(1, int32: count)
              dictionary.add(2, int32: encoding.rawValue)
            })
        }
      }
    }

    /// The body compressed with LZ4, which may be larger, or nil if the body is too large for LZ4.
    var compressed: [UInt8]? {
      // The size of the LZ4 block if nothing can be compressed.
      (levels + values).withUnsafeBytes {
        Compression.compress($0, limit: $0.count + $0.count / 255 + 16)
      }
    }

    /// Whether a large page has values whose beginning does not compress, such as UUIDs.
    var isIncompressible: Bool {
      let sampleByteCount = 64 << 10
      guard values.count > 4 * sampleByteCount else { return false }
      return values.withUnsafeBytes {
        let sample = UnsafeRawBufferPointer(rebasing: $0[..<sampleByteCount])
        return Compression.compress(sample, limit: sampleByteCount * 31 / 32) == nil
      }
    }
  }

  /// The headers and bodies of the dictionary page, if there is one, and of the data page.
  private(set) var pieces: [[UInt8]] = []
  /// The size of the pages with their headers, in bytes.
  private(set) var byteCount = 0
  private let name: String
  private let type: ParquetType
  private let encodings: [ParquetEncoding]
  private let codec: ParquetCodec
  private let count: Int
  /// The size of the headers and of the uncompressed pages, in bytes.
  private(set) var plainByteCount = 0
  /// The size of the dictionary page with its header, in bytes, or nil if there is none.
  private var dictionaryByteCount: Int?
  private let statistics: ParquetStatistics

  /// Encodes a column in the encoding that takes the least space.
  init(_ column: TableColumn) {
    let statistics = ParquetStatistics(column.values)
    let levels = Self.levels(column.values.presence)
    let found = column.values.encoded.map { ParquetChunk(column, $0, levels, statistics) }
    self = found.dropFirst().reduce(found[0]) { $1.byteCount < $0.byteCount ? $1 : $0 }
  }

  private init(
    _ column: TableColumn, _ values: ParquetValues, _ levels: [UInt8],
    _ statistics: ParquetStatistics
  ) {
    self.statistics = statistics
    name = column.name
    type = column.values.physicalType
    count = column.values.presence.count
    var pages: [Page] = []
    if let (count, bytes) = values.dictionary {
      pages.append(Page(kind: .dictionary, encoding: .plain, count: count, values: bytes))
    }
    pages.append(
      Page(
        kind: .data, encoding: values.encoding, count: count, levels: levels, values: values.bytes))
    encodings =
      (values.dictionary == nil ? [] : [.plain]) + [values.encoding, .hybrid]

    // All pages of a chunk have the same codec.
    let isHopeless = pages.count == 1 && pages[0].isIncompressible
    let compressed = isHopeless ? [] : pages.compactMap(\.compressed)
    let isSmaller =
      compressed.count == pages.count
      && compressed.reduce(0) { $0 + $1.count } < pages.reduce(0) { $0 + $1.byteCount }
    codec = isSmaller ? .lz4 : .none
    for (index, page) in pages.enumerated() {
      let body = isSmaller ? [compressed[index]] : [page.levels, page.values]
      let size = body.reduce(0) { $0 + $1.count }
      let header = page.header(byteCount: size)
      pieces.append(header)
      pieces += body
      byteCount += header.count + size
      plainByteCount += header.count + page.byteCount
      if page.kind == .dictionary { dictionaryByteCount = byteCount }
    }
  }

  /// Returns the definition levels, preceded by their length: 1 for a value and 0 for null.
  private static func levels(_ presence: Presence) -> [UInt8] {
    var levels: [UInt8] = []
    if presence.flags.isEmpty {
      HybridEncoder.append(
        run: presence.count, of: presence.valueCount > 0 ? 1 : 0, width: 1, to: &levels)
    } else {
      levels = HybridEncoder.encode(presence.flags, width: 1)
    }
    var result: [UInt8] = []
    result.append(lengthAnd: levels)
    return result
  }

  /// Adds the chunk's footer entry; the chunk begins at a byte offset of the file.
  func add(to entry: inout ThriftWriter, at offset: Int) {
    entry.add(2, int64: 0)
    entry.add(
      3,
      structure: { data in
        data.add(1, int32: type.rawValue)
        data.add(2, int32s: encodings.map(\.rawValue))
        data.add(3, texts: [name])
        data.add(4, int32: codec.rawValue)
        data.add(5, int64: count)
        data.add(6, int64: plainByteCount)
        data.add(7, int64: byteCount)
        data.add(9, int64: offset + (dictionaryByteCount ?? 0))
        if dictionaryByteCount != nil { data.add(11, int64: offset) }
        data.add(12, structure: { statistics.add(to: &$0) })
      })
  }
}
