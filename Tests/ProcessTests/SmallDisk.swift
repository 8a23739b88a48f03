import Foundation
import Testing

/// A small disk that a test can fill: a file system in memory.
final class SmallDisk {
  let folder: Folder
  var path: String { folder.path + "/mount" }
  private let mount: URL

  /// Mounts a disk, or prints the reason and returns nil if that is impossible.
  init?(kilobytes: Int) throws {
    guard getuid() == 0, let mount = Programs.find("mount") else {
      print("full disks skipped: mounting one needs root")
      return nil
    }
    self.mount = mount
    folder = try Folder()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let run = try Programs.run(
      mount, ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path])
    guard run.status == 0 else {
      print("full disks skipped: mounting one failed: \(run.out)")
      return nil
    }
  }

  deinit {
    // Unmounts lazily: a failed test may leave files open.
    if let umount = Programs.find("umount") { _ = try? Programs.run(umount, ["-l", path]) }
  }

  /// Changes the size of the disk.
  func resize(kilobytes: Int) throws {
    let run = try Programs.run(mount, ["-o", "remount,size=\(kilobytes)k", path])
    #expect(run.status == 0, "\(run.out)")
  }
}
