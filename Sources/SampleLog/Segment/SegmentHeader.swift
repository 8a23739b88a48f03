/// The header of a segment file.
package struct SegmentHeader: Equatable, Sendable {
  /// The store the segment belongs to.
  package var storeID: Identifier
  /// The store's epoch when the segment was written.
  package var epoch: UInt32
  /// The first sequence number of the contiguous range the segment covers.
  package var first: UInt64
  /// The last sequence number of the range; the range may have gaps.
  package var last: UInt64
  /// A number that increases each time the range is rewritten.
  package var generation: UInt32
  /// The retention floor: deletions with sequence numbers below it have been discarded.
  package var floor: UInt64
  /// The sequence number through which deletions were applied: the segment lacks their targets.
  package var deletedThrough: UInt64
  /// The format version of the file.
  private(set) var version = SegmentHeader.version

  package init(
    storeID: Identifier, epoch: UInt32, first: UInt64, last: UInt64, generation: UInt32,
    floor: UInt64, deletedThrough: UInt64
  ) {
    self.storeID = storeID
    self.epoch = epoch
    self.first = first
    self.last = last
    self.generation = generation
    self.floor = floor
    self.deletedThrough = deletedThrough
  }

  /// The magic number: "HSsegm" and two bytes that text-mode transfers and 7-bit channels change.
  static let magic: [UInt8] = [0x48, 0x53, 0x73, 0x65, 0x67, 0x6D, 0x0A, 0xF5]
  /// The format version that is written.
  ///
  /// Version 2 added derived identifiers, version 3 blocks that subjects share.
  package static let version: UInt32 = 3
  /// The length of the header, in bytes; the same in every version, as is the checksum's offset.
  static let length = 80

  var encoded: [UInt8] {
    var writer = ByteWriter(reserving: SegmentHeader.length)
    writer.append(SegmentHeader.magic)
    writer.fixed(version)
    writer.fixed(epoch)
    writer.fixed(storeID.high)
    writer.fixed(storeID.low)
    writer.fixed(first)
    writer.fixed(last)
    writer.fixed(floor)
    writer.fixed(deletedThrough)
    writer.fixed(generation)
    writer.fixed(UInt32(0))
    writer.fixed(UInt32(0))
    writer.fixed(checksum(writer.bytes))
    return writer.bytes
  }

  /// Parses a header from the first bytes of a file.
  init(_ bytes: [UInt8], file: String) throws {
    func damaged(_ reason: String) -> StoreError {
      .damaged(file: file, offset: 0, reason: reason)
    }
    guard bytes.count == SegmentHeader.length, Array(bytes.prefix(8)) == SegmentHeader.magic else {
      throw damaged("not a segment")
    }
    var trailer = HeaderFields(Array(bytes.suffix(4)))
    guard trailer.half() == checksum(Array(bytes.dropLast(4))) else {
      throw damaged("wrong checksum of the header")
    }
    var fields = HeaderFields(Array(bytes.dropFirst(8)))
    version = fields.half()
    guard 1...SegmentHeader.version ~= version else {
      throw StoreError.unsupportedVersion(file: file, version: Int(version))
    }
    epoch = fields.half()
    storeID = Identifier(high: fields.word(), low: fields.word())
    first = fields.word()
    last = fields.word()
    floor = fields.word()
    deletedThrough = fields.word()
    generation = fields.half()
  }
}
