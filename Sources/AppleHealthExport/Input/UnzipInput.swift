import Foundation

/// What an `unzip` process writes; it ends with the process's verdict on the archive.
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
    // Names are to be printed as UTF-8, and UNZIP could hold options.
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
    // The child has its own copy; ours would keep the end of the stream from showing.
    try? pipe.fileHandleForWriting.close()
  }

  deinit {
    try? pipe.fileHandleForReading.close()
    guard launched, !ended else { return }
    if process.isRunning { process.terminate() }
    // A process that nobody waits for keeps itself and its pipe alive.
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
