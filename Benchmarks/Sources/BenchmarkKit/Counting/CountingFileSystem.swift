package import SampleLog

import Foundation

/// The operations on a disk.
package struct DiskCounts: Sendable {
  package var opens = 0
  package var reads = 0
  package var readBytes = 0
  package var writes = 0
  package var writtenBytes = 0
  package var syncs = 0

  package static func - (left: DiskCounts, right: DiskCounts) -> DiskCounts {
    var result = left
    result.opens -= right.opens
    result.reads -= right.reads
    result.readBytes -= right.readBytes
    result.writes -= right.writes
    result.writtenBytes -= right.writtenBytes
    result.syncs -= right.syncs
    return result
  }

  package init() {}
}

/// A file system that counts the operations on another.
package final class CountingFileSystem: FileSystem, @unchecked Sendable {
  private let base: any FileSystem
  private let lock = NSLock()
  private var current = DiskCounts()

  package init(_ base: any FileSystem = PosixFileSystem()) { self.base = base }

  package var counts: DiskCounts { lock.withLock { current } }

  fileprivate func count(_ change: (inout DiskCounts) -> Void) {
    lock.withLock { change(&current) }
  }

  package func createDirectory(_ path: String) throws { try base.createDirectory(path) }
  package func list(_ path: String) throws -> [String]? { try base.list(path) }
  package func lock(_ path: String) throws -> any FileLock { try base.lock(path) }
  package func remove(_ path: String) throws { try base.remove(path) }

  package func rename(_ path: String, to newPath: String) throws {
    try base.rename(path, to: newPath)
  }

  package func open(_ path: String, _ access: FileAccess) throws -> any File {
    count { $0.opens += 1 }
    return CountingFile(try base.open(path, access), self)
  }

  package func syncDirectory(_ path: String) throws {
    count { $0.syncs += 1 }
    try base.syncDirectory(path)
  }
}

/// A file of ``CountingFileSystem``.
private final class CountingFile: File, Sendable {
  private let base: any File
  private let system: CountingFileSystem

  init(_ base: any File, _ system: CountingFileSystem) {
    self.base = base
    self.system = system
  }

  func size() throws -> Int { try base.size() }
  func preallocate(_ length: Int) throws { try base.preallocate(length) }
  func truncate(to length: Int) throws { try base.truncate(to: length) }

  func read(into buffer: inout MutableRawSpan, at offset: Int) throws -> Int {
    let got = try base.read(into: &buffer, at: offset)
    system.count {
      $0.reads += 1
      $0.readBytes += got
    }
    return got
  }

  func write(_ bytes: RawSpan, at offset: Int) throws {
    try base.write(bytes, at: offset)
    system.count {
      $0.writes += 1
      $0.writtenBytes += bytes.byteCount
    }
  }

  func sync() throws {
    try base.sync()
    system.count { $0.syncs += 1 }
  }
}
