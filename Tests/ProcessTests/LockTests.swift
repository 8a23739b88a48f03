import Foundation
import SampleLog
import SampleLogSimulation
import Testing

/// One writer at a time, whatever happens to processes.
@Suite struct LockTests {
  /// A writer of another process that has its store open; it works until it is ended.
  private func holder(_ store: String, first: UInt64 = 1) throws -> TortureChild {
    var order = TortureOrder()
    order.first = first
    let child = try TortureChild(
      try Programs.prove(), ["writer", order.text, store])
    while child.lines(waiting: 60_000)?.isEmpty == true {}
    return child
  }

  @Test func `A second writer is refused and told who holds the store, and readers are not`()
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

  @Test func `Nothing of a killed process stops the next, again and again`() throws {
    let folder = try Folder()
    let store = folder.path + "/store"
    let count = Programs.number("OPENS", default: 40)
    for _ in 0..<count {
      let child = try holder(store)
      child.end()
      // Another process would be told of a lock; this one opens it at once.
      try Database(path: store).close()
      try FileManager.default.removeItem(atPath: store)
    }
  }

  @Test func `A lock file that names a living process means nothing without its lock`() throws {
    let folder = try Folder()
    let store = folder.path + "/store"
    try Database(path: store).close()
    // The number of a dead writer, given to somebody else since: this process.
    try Data("process \(getpid()) (healthstore)\n".utf8)
      .write(to: URL(fileURLWithPath: store + "/LOCK"))
    try Database(path: store).close()
  }

  @Test func `The lock outlives descriptors of its file that this process opens and closes`()
    throws
  {
    let folder = try Folder()
    let store = folder.path + "/store"
    let database = try Database(path: store)
    // Locks of the older kind would be gone with any of these.
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

  @Test func `A store that was closed is free although a child of the process lives on`() throws {
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

  @Test func `A process that was only forked keeps the lock until it ends, and then it is free`()
    throws
  {
    guard let python = Programs.find("python3") else {
      print("the lock of a forked process skipped: there is no python3")
      return
    }
    let folder = try Folder()
    let store = folder.path + "/store"
    try Database(path: store).close()
    // The same lock as the store's, taken by a process that forks and dies.
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
    // The end of its output is the end of the child.
    _ = output.fileHandleForReading.readDataToEndOfFile()
    parent.waitUntilExit()
    #expect(throws: Never.self) { try Database(path: store).close() }
  }
}
