import AppleHealthExport

/// Reads text line by line; holds one line and the read-ahead buffer in memory.
struct LineReader {
  /// A line without its line feed.
  struct Line {
    var bytes: [UInt8]
    /// The line number, counted from 1.
    var number: Int
  }

  private let input: any ExportInput
  private var buffer: [UInt8] = []
  /// The offset of the next line in the buffer.
  private var start = 0
  private var isAtEnd = false
  private(set) var number = 0
  /// The number of bytes read from the input, including read-ahead.
  private(set) var byteCount: Int64 = 0

  private static let readCount = 256 << 10
  /// The maximum length of a line in bytes; samples are far smaller.
  static let longest = 1 << 30

  init(_ input: any ExportInput) { self.input = input }

  /// Returns the next line, or nil at the end of the input.
  ///
  /// - Throws: ``ExportError`` if reading fails, and ``IngestProblem`` if a line reaches 1 GiB.
  mutating func next() throws -> Line? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return line(start..<end)
      }
      searched = buffer.count
      if isAtEnd {
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        return line(start..<buffer.count)
      }
      guard searched - start < Self.longest else {
        throw IngestProblem("The line has more than \(Figures.count(Self.longest)) bytes")
      }
      searched -= start
      try fill()
    }
  }

  private mutating func line(_ range: Range<Int>) -> Line {
    number += 1
    return Line(bytes: Array(buffer[range]), number: number)
  }

  private mutating func fill() throws {
    buffer.removeSubrange(..<start)
    start = 0
    let before = buffer.count
    buffer += repeatElement(0, count: Self.readCount)
    var count = 0
    try buffer.withUnsafeMutableBytes { bytes in
      let free = UnsafeMutableRawBufferPointer(rebasing: bytes[before...])
      count = try input.read(into: free)
    }
    buffer.removeSubrange((before + count)...)
    byteCount += Int64(count)
    isAtEnd = count == 0
  }
}

/// The reason for rejecting a line, as a sentence without its final period.
struct IngestProblem: Error {
  var sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
