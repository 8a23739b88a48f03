import SampleLog

/// Takes choices from the front of an input; missing bytes read as zero.
struct FuzzInput {
  private(set) var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  mutating func byte() -> UInt8 {
    guard let first = rest.first else { return 0 }
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
    return first
  }

  mutating func half() -> Int { Int(byte()) | Int(byte()) << 8 }

  mutating func word() -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(byte()) << UInt64($1 * 8) }
  }

  /// Takes the next bytes, or fewer if the input is shorter.
  mutating func slice(_ count: Int) -> UnsafeRawBufferPointer {
    let taken = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    return taken
  }

  /// Copies bytes into separate memory, with exactly the slack that decoders may read.
  static func copy(_ bytes: UnsafeRawBufferPointer) -> RawMemory {
    let memory = RawMemory(bytes.count)
    memory.writable.copyMemory(from: bytes)
    return memory
  }
}

/// Builds inputs that ``FuzzInput`` parses.
struct FuzzInputWriter {
  private(set) var bytes: [UInt8] = []

  init(_ first: UInt8...) { bytes = first }

  mutating func half(_ value: Int) {
    bytes.append(UInt8(truncatingIfNeeded: value))
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
  }

  mutating func append(_ more: [UInt8]) { bytes += more }
}
