/// The encoded subject names of a segment: sorted by their bytes and prefix-compressed.
struct SubjectNames: Sendable {
  /// The restart interval of the prefix compression, which bounds the decoded size.
  private static let restart = 16

  private let bytes: [UInt8]
  /// The offsets of the uncompressed names.
  private let restarts: [UInt32]
  let count: Int

  /// Encodes names, which must be sorted.
  static func encode(_ names: [[UInt8]], into writer: inout ByteWriter) {
    writer.varint(UInt64(names.count))
    var last: [UInt8] = []
    for (index, name) in names.enumerated() {
      if index % restart == 0 { last = [] }
      let shared = zip(last, name).prefix { $0 == $1 }.count
      writer.varint(UInt64(shared))
      writer.string([UInt8](name[shared...]))
      last = name
    }
  }

  /// Copies the bytes of encoded names and validates all of them.
  init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
    var reader = ByteReader(bytes)
    guard let count = reader.varint(), count <= UInt64(reader.remaining),
      bytes.count <= UInt32.max
    else { throw CodecError("impossible count of subjects") }
    var restarts: [UInt32] = []
    restarts.reserveCapacity(Int(count) / Self.restart + 1)
    // A name is at most as long as all bytes together.
    let name = RawMemory(bytes.count)
    var length = 0
    for index in 0..<Int(count) {
      let isWhole = index % Self.restart == 0
      if isWhole { restarts.append(UInt32(reader.offset)) }
      guard let (shared, rest) = Self.next(&reader), shared <= (isWhole ? 0 : length) else {
        throw CodecError("cut subjects")
      }
      let old = UnsafeRawBufferPointer(start: name.base + shared, count: length - shared)
      // Names usually differ in the first byte after the shared prefix.
      let isInOrder =
        if let one = old.first, let other = rest.first, one != other { one < other } else {
          index == 0 || old.precedes(rest)
        }
      guard isInOrder else { throw CodecError("subjects out of order") }
      length = shared + rest.count
      UnsafeMutableRawBufferPointer(rebasing: name.writable[shared..<length])
        .copyMemory(from: rest)
    }
    guard reader.isAtEnd else { throw CodecError("bytes after the last subject") }
    self.bytes = [UInt8](bytes)
    self.restarts = restarts
    self.count = Int(count)
  }

  /// Returns the length of the prefix shared with the previous name, and the rest of the name.
  @inline(__always)
  private static func next(
    _ reader: inout ByteReader
  ) -> (shared: Int, rest: UnsafeRawBufferPointer)? {
    guard let shared = reader.varint(), shared <= UInt64(Int32.max), let length = reader.varint(),
      length <= UInt64(reader.remaining), let rest = reader.slice(Int(length))
    else { return nil }
    return (Int(shared), rest)
  }

  /// Returns whether the encoded names equal some bytes.
  func equals(_ other: UnsafeRawBufferPointer) -> Bool { bytes.equals(other) }

  /// Returns the name at an index.
  ///
  /// - Complexity: Decodes at most sixteen names.
  subscript(position: Int) -> [UInt8] {
    var found: [UInt8] = []
    forEach(from: position / Self.restart) { index, name in
      if index == position { found = name }
      return index < position
    }
    return found
  }

  /// Returns the index of a name, or nil if the list does not contain it.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of names.
  func position(of wanted: [UInt8]) -> Int? {
    let step = bytes.withUnsafeBytes { bytes in
      restarts.indices.partition { step in
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[Int(restarts[step])...]))
        guard let (_, name) = Self.next(&reader) else { return false }
        return !wanted.precedes(name)
      }
    }
    guard step > 0 else { return nil }
    var found: Int?
    forEach(from: step - 1) { index, name in
      if name == wanted { found = index }
      return found == nil && index + 1 < step * Self.restart
    }
    return found
  }

  /// Calls a function with the names from a restart on, until it returns false.
  private func forEach(from step: Int, _ body: (Int, [UInt8]) -> Bool) {
    guard step < restarts.count else { return }
    bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[Int(restarts[step])...]))
      var name: [UInt8] = []
      for index in step * Self.restart..<count {
        guard let (shared, rest) = Self.next(&reader) else { return }
        name.removeSubrange(shared...)
        name.append(contentsOf: rest)
        if !body(index, name) { return }
      }
    }
  }

  /// All names, in order.
  var all: [[UInt8]] {
    var all: [[UInt8]] = []
    all.reserveCapacity(count)
    forEach(from: 0) { _, name in
      // A copy, because the buffer is reused for the next name.
      all.append(name.withUnsafeBytes { [UInt8]($0) })
      return true
    }
    return all
  }
}
