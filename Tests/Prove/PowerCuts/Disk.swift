import Foundation

/// A file system on a loop device that can be shut down as by a power cut.
struct Disk {
  struct Failure: Error { var sentence: String }

  enum Kind: String {
    case ext4
    case xfs
  }

  let folder: String
  let kind: Kind
  var mountPoint: String { folder + "/mount" }
  private var image: String { folder + "/image" }

  /// Makes an image with a fresh file system and mounts it.
  init(in folder: String, kind: Kind) throws {
    self.folder = folder
    self.kind = kind
    try FileManager.default.createDirectory(
      atPath: folder + "/mount", withIntermediateDirectories: true)
    // XFS needs at least 300 MB.
    try Self.run("truncate", "-s", kind == .xfs ? "320M" : "192M", folder + "/image")
    try Self.run("mkfs." + kind.rawValue, kind == .xfs ? "-q" : "-qF", folder + "/image")
    try mount()
  }

  func mount() throws { try Self.run("mount", "-o", "loop", image, mountPoint) }

  func unmount() throws {
    // The kernel closes the files of a process shortly after the process has ended.
    var last: (any Error)?
    for _ in 0..<50 {
      do { return try Self.run("umount", mountPoint) } catch { last = error }
      _ = poll(nil, 0, 20)
    }
    throw last ?? Failure(sentence: "umount failed")
  }

  /// Shuts the file system down: nothing more is written, not even its journal.
  func cutPower() throws {
    let descriptor = open(mountPoint, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { throw Failure(sentence: "cannot open \(mountPoint)") }
    defer { close(descriptor) }
    // FS_IOC_SHUTDOWN is _IOR('X', 125, u32); 2 means not to flush the log.
    var flag: UInt32 = 2
    guard ioctl(descriptor, 0x8004_587D, &flag) == 0 else {
      throw Failure(sentence: "the shutdown failed: \(String(cString: strerror(errno)))")
    }
  }

  func remove() {
    try? unmount()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func run(_ words: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    try pipe.fileHandleForWriting.close()
    let text = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        sentence: "\(words.joined(separator: " ")): \(String(decoding: text, as: UTF8.self))")
    }
  }
}
