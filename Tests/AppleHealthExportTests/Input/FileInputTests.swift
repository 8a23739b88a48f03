import Foundation
import Testing

@testable import AppleHealthExport

@Suite struct FileInputTests {
  private func bytes(_ input: FileInput) throws -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1000)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try input.read(into: $0) }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer.prefix(count)
    }
  }

  @Test func `Opening a named pipe without a writer waits until reading is cancelled`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    var asked = 0
    let input = try FileInput(path: path) {
      asked += 1
      return asked > 2
    }
    #expect(input.byteCount == nil)
    #expect(throws: ExportError.cancelled) { try bytes(input) }
    #expect(asked == 3)
  }

  @Test(arguments: [true, false])
  func `A named pipe is read from its first writer to its last`(isCancellable: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let input = try FileInput(path: path, isCancelled: isCancellable ? { false } : nil)
    let text = String(repeating: "0123456789", count: 50_000)
    let writing = Thread {
      // Opening returns, because a reader has opened the pipe.
      let descriptor = open(path, O_WRONLY)
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try? handle.write(contentsOf: Data(text.utf8))
    }
    writing.start()
    #expect(try bytes(input) == text)
  }

  @Test func `Reading a folder through a handle throws`() throws {
    let folder = try TemporaryFolder()
    let descriptor = open(folder.path, O_RDONLY)
    let input = FileInput(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    #expect(throws: ExportError.self) { try bytes(input) }
  }
}
