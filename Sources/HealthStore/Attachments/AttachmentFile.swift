import Foundation

/// A file that is read in chunks.
///
/// All chunks but the last have the size of a content row.
struct AttachmentFile {
  private let url: URL
  private let handle: FileHandle
  private let total = Total()

  /// The number of bytes read so far.
  ///
  /// It can exceed the initial size, because the file may grow.
  private final class Total {
    var size = 0
  }

  /// Opens a file.
  ///
  /// - Throws: `errorInvalidArgument` if the file cannot be read or is too large.
  init(_ url: URL) throws {
    self.url = url
    do {
      handle = try FileHandle(forReadingFrom: url)
      let size = try handle.seekToEnd()
      try Self.check(size, url)
      try handle.seek(toOffset: 0)
    } catch let error as HKError {
      throw error
    } catch {
      throw Self.unreadable(url, error)
    }
  }

  /// Reads the next chunk, or returns `nil` at the end.
  func read() throws -> [UInt8]? {
    var piece: [UInt8] = []
    do {
      while piece.count < AttachmentChunk.maximumSize,
        let more = try handle.read(upToCount: AttachmentChunk.maximumSize - piece.count),
        !more.isEmpty
      { piece += more }
    } catch {
      throw Self.unreadable(url, error)
    }
    total.size += piece.count
    try Self.check(UInt64(total.size), url)
    return piece.isEmpty ? nil : piece
  }

  private static func check(_ size: UInt64, _ url: URL) throws(HKError) {
    if size > UInt64(AttachmentPayload.maximumSize) {
      throw HKError.make(
        .errorInvalidArgument,
        "\(url.lastPathComponent) has more than the \(AttachmentPayload.maximumSize) bytes that "
          + "an attachment may have.")
    }
  }

  private static func unreadable(_ url: URL, _ error: any Error) -> HKError {
    HKError.make(
      .errorInvalidArgument, "\(url.path) cannot be read: \(error.localizedDescription)",
      underlying: error)
  }
}
