private import Synchronization

/// The identifiers of a block's rows.
///
/// Identifiers that a store derives from sequence numbers are computed when they are read, because
/// most answers are given without them: until then the column holds their numbers.
@usableFromInline
package struct IdentifierColumn: @unchecked Sendable {
  @usableFromInline let ids: UnsafeMutablePointer<Identifier>
  @usableFromInline let isDerived: Bool
  @usableFromInline let count: Int
  /// The streams of derived identifiers; empty if the column holds identifiers.
  @usableFromInline let streams: UnsafeBufferPointer<IdentifierStream>

  /// Takes the memory of a column, which the caller keeps.
  @inlinable package init(
    _ ids: UnsafeMutablePointer<Identifier>, count: Int,
    streams: UnsafeBufferPointer<IdentifierStream>
  ) {
    self.ids = ids
    self.count = count
    self.streams = streams
    isDerived = !streams.isEmpty
  }

  /// The identifier of a row, which the block must have.
  @inlinable package subscript(row: Int) -> Identifier { isDerived ? derived(row) : ids[row] }

  /// Appends the identifiers of some rows to others.
  func append(_ rows: Range<Int>, to others: inout [Identifier]) {
    if isDerived {
      others.append(contentsOf: rows.lazy.map { derived($0) })
    } else {
      others.append(
        contentsOf: UnsafeBufferPointer(start: ids + rows.lowerBound, count: rows.count))
    }
  }

  /// Returns an identifier, and computes it and its neighbours if they are still numbers.
  ///
  /// Threads that do so at once write the same, and each write is atomic.
  @usableFromInline
  func derived(_ row: Int) -> Identifier {
    let code = ids[row].high
    // In range: checked when the column was read.
    let stream = streams.baseAddress.unsafelyUnwrapped + Int(code)
    var low = word(row).pointee.load(ordering: .relaxed)
    if low >> 63 == 0 { low = encipher(row, stream, code) }
    return Identifier(high: stream.pointee.high, low: low)
  }

  /// Enciphers the numbers of one stream among a row and its neighbours, which together cost
  /// little more than one.
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
      stream.pointee.encipher(words, count: rows.count)
      for row in rows where isNumber >> UInt8(row - begin) & 1 == 1 {
        word(row).pointee.store(words[row - begin], ordering: .relaxed)
      }
      // Another thread may have been first, and its identifier was enciphered a second time here.
      let isComputed = isNumber >> UInt8(row - begin) & 1 == 1
      return isComputed ? words[row - begin] : word(row).pointee.load(ordering: .relaxed)
    }
  }

  /// The second half of a row's identifier, or its number, whose highest bit is 0; the first half
  /// is the number of its stream for good.
  @inline(__always)
  private func word(_ row: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    (UnsafeMutableRawPointer(ids + row) + MemoryLayout<UInt64>.stride)
      .assumingMemoryBound(to: Atomic<UInt64>.self)
  }
}

/// The streams of a column's identifiers, in memory that blocks share: a block outlives the file
/// that it was read from.
final class SharedStreams: @unchecked Sendable {
  let streams: UnsafeBufferPointer<IdentifierStream>

  init(_ streams: [IdentifierStream]) {
    let memory = UnsafeMutableBufferPointer<IdentifierStream>.allocate(capacity: streams.count)
    _ = memory.initialize(from: streams)
    self.streams = UnsafeBufferPointer(memory)
  }

  deinit { streams.deallocate() }
}
