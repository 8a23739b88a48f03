private import Synchronization

/// The identifiers of a block's rows.
///
/// Identifiers that are derived from sequence numbers are computed on first access, because most
/// queries never read them. Until then the column holds the numbers.
@usableFromInline
package struct IdentifierColumn: @unchecked Sendable {
  @usableFromInline let ids: UnsafeMutablePointer<Identifier>
  @usableFromInline let isDerived: Bool
  @usableFromInline let count: Int
  /// The streams of derived identifiers; empty if the column holds identifiers.
  @usableFromInline let streams: UnsafeBufferPointer<IdentifierStream>

  /// Wraps the memory of a column, which the caller keeps alive.
  @inlinable package init(
    _ ids: UnsafeMutablePointer<Identifier>, count: Int,
    streams: UnsafeBufferPointer<IdentifierStream>
  ) {
    self.ids = ids
    self.count = count
    self.streams = streams
    isDerived = !streams.isEmpty
  }

  /// Returns the identifier of a row of the block.
  @inlinable package subscript(row: Int) -> Identifier { isDerived ? derived(row) : ids[row] }

  /// Appends the identifiers of a range of rows to an array.
  func append(_ rows: Range<Int>, to others: inout [Identifier]) {
    if isDerived {
      others.append(contentsOf: rows.lazy.map { derived($0) })
    } else {
      others.append(
        contentsOf: UnsafeBufferPointer(start: ids + rows.lowerBound, count: rows.count))
    }
  }

  /// Returns a derived identifier; computes it and adjacent ones on the first access.
  ///
  /// Concurrent callers write the same values, and each write is atomic.
  @usableFromInline
  func derived(_ row: Int) -> Identifier {
    let code = ids[row].high
    // In range: validated when the column was read.
    let stream = streams.baseAddress.unsafelyUnwrapped + Int(code)
    var low = word(row).pointee.load(ordering: .relaxed)
    if low >> 63 == 0 { low = encipher(row, stream, code) }
    return Identifier(high: stream.pointee.high, low: low)
  }

  /// Enciphers the numbers of one stream within an aligned group of rows, which costs little more
  /// than a single one.
  private func encipher(
    _ row: Int, _ stream: UnsafePointer<IdentifierStream>, _ code: UInt64
  ) -> UInt64 {
    let begin = row & ~(IdentifierStream.lanes - 1)
    let rows = begin..<min(begin + IdentifierStream.lanes, count)
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: IdentifierStream.lanes) {
      words in
      let words = words.baseAddress.unsafelyUnwrapped
      for row in rows {
        (words + (row - begin)).initialize(to: word(row).pointee.load(ordering: .relaxed))
      }
      var isNumber: UInt8 = 0
      for row in rows where ids[row].high == code && words[row - begin] >> 63 == 0 {
        isNumber |= 1 << UInt8(row - begin)
      }
      DecodedValues.add(isNumber.nonzeroBitCount)
      stream.pointee.encipher(words, count: rows.count)
      for row in rows where isNumber >> UInt8(row - begin) & 1 == 1 {
        word(row).pointee.store(words[row - begin], ordering: .relaxed)
      }
      // If another thread had already stored the identifier, it was enciphered a second time here,
      // so the stored one is returned.
      let isComputed = isNumber >> UInt8(row - begin) & 1 == 1
      return isComputed ? words[row - begin] : word(row).pointee.load(ordering: .relaxed)
    }
  }

  /// Returns the low half of a row's identifier, or its number if the highest bit is 0.
  ///
  /// The high half is always the index of the stream.
  @inline(__always)
  private func word(_ row: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    (UnsafeMutableRawPointer(ids + row) + MemoryLayout<UInt64>.stride)
      .assumingMemoryBound(to: Atomic<UInt64>.self)
  }
}

/// The identifier streams of a column, shared by blocks, which can outlive the file they come from.
final class SharedStreams: @unchecked Sendable {
  let streams: UnsafeBufferPointer<IdentifierStream>

  init(_ streams: [IdentifierStream]) {
    let memory = UnsafeMutableBufferPointer<IdentifierStream>.allocate(capacity: streams.count)
    _ = memory.initialize(from: streams)
    self.streams = UnsafeBufferPointer(memory)
  }

  deinit { streams.deallocate() }
}
