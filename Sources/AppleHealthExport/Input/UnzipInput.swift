import Foundation

/// The output of an `unzip` process.
///
/// At its end, a nonzero exit status becomes ``ExportError/unzipFailed(path:status:)``.
final class UnzipInput: ExportInput {
  let byteCount: Int64?
  private let process = Process()
  private let pipe = Pipe()
  private let file: FileInput
  private let archive: String
  private var launched = false
  private var ended = false

  init(
    program: URL, arguments: [String], archive: String, byteCount: Int64? = nil
  ) throws(ExportError) {
    self.byteCount = byteCount
    self.archive = archive
    file = FileInput(pipe.fileHandleForReading)
    process.executableURL = program
    process.arguments = arguments
    // The locale makes unzip print names as UTF-8. UNZIP, which may hold options, is not inherited.
    process.environment = ["LC_ALL": "C.UTF-8"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw .cannotOpen(path: program.path, reason: "\(error)")
    }
    launched = true
    // The child has its own copy. With this one open, the stream would not end.
    try? pipe.fileHandleForWriting.close()
  }

  deinit {
    try? pipe.fileHandleForReading.close()
    guard launched, !ended else { return }
    if process.isRunning { process.terminate() }
    // A process that is never waited for remains, and so does its pipe.
    process.waitUntilExit()
  }

  func read(into buffer: inout MutableRawSpan) throws(ExportError) -> Int {
    let count = try file.read(into: &buffer)
    if count == 0, !ended {
      process.waitUntilExit()
      ended = true
      if process.terminationStatus != 0 {
        throw .unzipFailed(path: archive, status: process.terminationStatus)
      }
    }
    return count
  }
}
