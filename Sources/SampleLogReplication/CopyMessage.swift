import SampleLog

/// A message of the transfer of a copy: a request, an offer, or a piece of the copy.
struct CopyMessage: Equatable {
  enum Kind: UInt32 {
    /// A receiver asks for a copy, or acknowledges pieces of it.
    case request = 1
    /// A source can send a copy.
    case offer
    /// A part of the copy's bytes.
    case piece
  }

  private static let magic: UInt64 = 0x0A01_5950_4F43_5348  // "HSCOPY", 1, line feed
  private static let version: UInt32 = 1
  private static let headerSize = 64
  /// The maximum size of a piece, in bytes.
  static let pieceSize = 512 << 10
  /// The maximum number of pieces that are not acknowledged, and of values that hold pieces.
  static let window = 8

  var kind: Kind
  let storeID: Identifier
  /// A random number that identifies the transfer.
  let transfer: UInt64
  /// A random number that identifies the source; 0 in a request to any source.
  var source: UInt64 = 0
  /// The number of acknowledged pieces of a request, the size of the copy that is offered, or the
  /// index of a piece.
  var number: UInt64 = 0
  /// The bytes of a piece; empty in other messages.
  var payload: [UInt8] = []

  var encoded: [UInt8] {
    var bytes = ByteWriter(reserving: Self.headerSize + payload.count)
    bytes.fixed(Self.magic)
    bytes.fixed(Self.version)
    bytes.fixed(kind.rawValue)
    bytes.fixed(storeID.high)
    bytes.fixed(storeID.low)
    bytes.fixed(transfer)
    bytes.fixed(source)
    bytes.fixed(number)
    bytes.fixed(checksum(payload))
    bytes.fixed(checksum(bytes.bytes))
    bytes.append(payload)
    return bytes.bytes
  }
}

extension CopyMessage {
  /// Decodes a message; returns nil if the bytes are damaged, not a message, or of a later version.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.headerSize else { return nil }
    var fields = HeaderFields(bytes)
    guard fields.word() == Self.magic, fields.half() == Self.version,
      let kind = Kind(rawValue: fields.half())
    else { return nil }
    self.init(
      kind: kind, storeID: Identifier(high: fields.word(), low: fields.word()),
      transfer: fields.word(), source: fields.word(), number: fields.word(),
      payload: Array(bytes[Self.headerSize...]))
    guard fields.half() == checksum(payload),
      fields.half() == checksum(Array(bytes[..<(Self.headerSize - 4)]))
    else { return nil }
  }
}

/// The description of a copy, with which its bytes begin.
struct CopyManifest: Equatable {
  /// An epoch of the store's history, and its last sequence number in the copy.
  struct Epoch: Equatable {
    var epoch: UInt32
    var last: UInt64
  }

  /// The maximum encoded size, in bytes.
  static let limit = 64 << 20

  /// The newest sequence number in the copy.
  var end: UInt64
  /// The epochs of the copy's history; the last is its own.
  var epochs: [Epoch]
  /// The files, whose bytes follow in this order.
  var files: [StoreFiles.Entry]

  /// Returns whether the copy has all commits of a store that ends in an epoch.
  func contains(_ epoch: UInt32, through last: UInt64) -> Bool {
    last == 0 || epochs.contains { $0.epoch == epoch && $0.last >= last }
  }

  var encoded: [UInt8] {
    var bytes = ByteWriter()
    bytes.varint(end)
    bytes.varint(UInt64(epochs.count))
    for epoch in epochs {
      bytes.fixed(epoch.epoch)
      bytes.varint(epoch.last)
    }
    bytes.varint(UInt64(files.count))
    for file in files {
      bytes.string(Array(file.name.utf8))
      bytes.varint(file.byteCount)
    }
    return bytes.bytes
  }

  /// Decodes a manifest.
  ///
  /// - Parameters:
  ///   - bytes: The encoded manifest.
  ///   - byteCount: The total size of the files.
  /// - Throws: ``ReplicationError/damagedCopy(reason:)``.
  init(_ bytes: [UInt8], byteCount: UInt64) throws {
    guard let manifest = bytes.withUnsafeBytes({ Self.decode(ByteReader($0)) }) else {
      throw ReplicationError.damagedCopy(reason: "its list of files is damaged")
    }
    self = manifest
    if let name = files.map(\.name).first(where: { !FileNames.isData($0) }) {
      throw ReplicationError.damagedCopy(
        reason: "a file has the name \"\(name.prefix(80))\", which no log or segment has")
    }
    guard Set(files.map(\.name)).count == files.count else {
      throw ReplicationError.damagedCopy(reason: "two files have the same name")
    }
    var left = byteCount
    for file in files {
      guard file.byteCount <= left else { throw Self.wrongLengths }
      left -= file.byteCount
    }
    if left > 0 { throw Self.wrongLengths }
  }

  private static let wrongLengths = ReplicationError.damagedCopy(
    reason: "the lengths of its files do not add up")

  init(end: UInt64, epochs: [Epoch], files: [StoreFiles.Entry]) {
    self.end = end
    self.epochs = epochs
    self.files = files
  }

  private static func decode(_ bytes: consuming ByteReader) -> CopyManifest? {
    var bytes = bytes
    guard let end = bytes.varint(), let epochCount = bytes.varint() else { return nil }
    var manifest = CopyManifest(end: end, epochs: [], files: [])
    for _ in 0..<epochCount {
      guard let epoch = bytes.fixed(UInt32.self), let last = bytes.varint() else { return nil }
      manifest.epochs.append(Epoch(epoch: epoch, last: last))
    }
    guard let fileCount = bytes.varint() else { return nil }
    for _ in 0..<fileCount {
      guard let name = bytes.string().flatMap({ String(validating: $0, as: UTF8.self) }),
        let byteCount = bytes.varint()
      else { return nil }
      manifest.files.append(StoreFiles.Entry(name: name, byteCount: byteCount))
    }
    return bytes.isAtEnd ? manifest : nil
  }
}
