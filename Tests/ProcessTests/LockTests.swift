import Foundation
import SampleLog
import SampleLogSimulation
import Testing

/// A store has at most one writer, even if processes are killed.
@Suite struct LockTests {
  /// A writer in another process that has opened its store; it runs until it is killed.
  private func holder(_ store: String, first: UInt64 = 1) throws -> TortureChild {
    var order = TortureOrder()
    order.first = first
    let child = try TortureChild(
      try Programs.prove(), ["writer", order.text, store])
    while child.lines(waiting: 60_000)?.isEmpty == true {}
    return child
  }

  @Test func `A second writer is refused and told the holder of the store; readers are admitted`()
    throws
  {
    let folder = try Folder()
    let store = folder.path + "/store"
    let child = try holder(store)
    let number = child.process.processIdentifier
    #expect {
      try Database(path: store)
    } throws: { error in
      guard case StoreError.locked(_, let holder) = error else { return false }
      return holder.contains("process \(number)")
    }
    let second = try WriterRun(store, seed: 1, operations: 1)
    #expect(second.status == 2)
    #expect(throws: Never.self) { try Database(path: store, mode: .readOnly) }
    child.end()
  }

  @Test func `A killed process leaves no lock to its successor`() throws {
    let folder = try Folder()
    let store = folder.path + "/store"
    let count = Programs.number("OPENS", default: 40)
    for _ in 0..<count {
      let child = try holder(store)
      child.end()
      // A second process would be refused; this one opens the store at once.
      try Database(path: store).close()
      try FileManager.default.removeItem(atPath: store)
    }
  }

  @Test func `A lock file that names a living process is ignored if it is not locked`() throws {
    let folder = try Folder()
    let store = folder.path + "/store"
    try Database(path: store).close()
    // The process identifier of a dead writer that the system reused: this process.
    try Data("process \(getpid()) (healthstore)\n".utf8)
      .write(to: URL(fileURLWithPath: store + "/LOCK"))
    try Database(path: store).close()
  }

  @Test func `The lock survives opening and closing further descriptors of its file`()
    throws
  {
    let folder = try Folder()
    let store = folder.path + "/store"
    let database = try Database(path: store)
    // Closing any of these descriptors would release a POSIX record lock.
    for _ in 0..<3 {
      let descriptor = open(store + "/LOCK", O_RDWR)
      #expect(descriptor >= 0)
      close(descriptor)
    }
    #expect(try WriterRun(store, seed: 1, operations: 1).status == 2)
    #expect(throws: StoreError.self) { try Database(path: store) }
    try database.close()
    #expect(try WriterRun(store, seed: 1, operations: 1).status == 0)
  }

  @Test func `Closing a store releases the lock although a child process lives on`() throws {
    let folder = try Folder()
    let store = folder.path + "/store"
    let database = try Database(path: store)
    let child = Process()
    child.executableURL = Programs.find("cat")
    let input = Pipe()
    child.standardInput = input
    child.standardOutput = FileHandle.nullDevice
    try child.run()
    try database.close()
    #expect(child.isRunning)
    #expect(try WriterRun(store, seed: 1, operations: 1).status == 0)
    try input.fileHandleForWriting.close()
    child.waitUntilExit()
  }

  @Test func `A forked process keeps the lock until it ends`()
    throws
  {
    guard let python = Programs.find("python3") else {
      print("the lock of a forked process skipped: there is no python3")
      return
    }
    let folder = try Folder()
    let store = folder.path + "/store"
    try Database(path: store).close()
    // The store's kind of lock, taken by a process that forks and exits.
    let script = """
      import fcntl, os, struct, sys
      f = open(sys.argv[1] + "/LOCK", "r+")
      fcntl.fcntl(f, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
      reading, writing = os.pipe()
      if os.fork() == 0:
          os.close(writing)
          os.read(reading, 1)  # ends with the parent
          print("alone", flush=True)
          sys.stdin.read()
          os._exit(0)
      os._exit(0)
      """
    let parent = Process()
    parent.executableURL = python
    parent.arguments = ["-c", script, store]
    let (input, output) = (Pipe(), Pipe())
    parent.standardInput = input
    parent.standardOutput = output
    try parent.run()
    _ = output.fileHandleForReading.availableData
    #expect(throws: StoreError.self) { try Database(path: store) }
    try output.fileHandleForWriting.close()
    try input.fileHandleForWriting.close()
    // The child's end closes its output.
    _ = output.fileHandleForReading.readDataToEndOfFile()
    parent.waitUntilExit()
    #expect(throws: Never.self) { try Database(path: store).close() }
  }
}
