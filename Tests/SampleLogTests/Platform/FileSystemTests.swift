import FoundationEssentials
import SampleLog
import Testing

/// Both file systems behave alike, so that tests in memory are valid for a disk.
@Suite struct FileSystemTests {
  private func check(_ fileSystem: any FileSystem, _ folder: String) throws {
    try fileSystem.createDirectory(folder)
    #expect(try fileSystem.list(folder + "/none") == nil)
    let file = try fileSystem.open(folder + "/a", .create)
    try [1, 2, 3].withUnsafeBytes {
      try file.write(UnsafeRawBufferPointer(rebasing: $0[..<2]), at: 0)
    }
    try file.truncate(to: 5)
    #expect(try file.bytes(5, at: 0) == [1, 0, 0, 0, 0])
    #expect(try file.bytes(6, at: 0) == nil)
    #expect(try file.bytes(1, at: -1) == nil)
    try fileSystem.link(folder + "/a", to: folder + "/b")
    func code(_ body: () throws -> Void) -> Int32? {
      do {
        try body()
      } catch StoreError.inputOutput(_, _, let code, _) {
        return code
      } catch {
        return nil
      }
      return nil
    }
    #expect(code { try fileSystem.link(folder + "/a", to: folder + "/b") } == 17)
    #expect(code { try fileSystem.link(folder + "/none", to: folder + "/c") } == 2)
    #expect(code { _ = try fileSystem.open(folder + "/a", .create) } == 17)
    #expect(code { _ = try fileSystem.open(folder + "/none", .read) } == 2)
    #expect(code { try fileSystem.rename(folder + "/none", to: folder + "/c") } == 2)
    #expect(code { try fileSystem.remove(folder + "/none") } == 2)
    try fileSystem.rename(folder + "/b", to: folder + "/a")
    #expect(Set(try fileSystem.list(folder) ?? []).isSuperset(of: ["a"]))
  }

  @Test func `The file system in memory behaves like the operating system's`() throws {
    try check(MemoryFileSystem(), "folder")
    let folder = FileManager.default.temporaryDirectory.path + "/alike-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try check(PosixFileSystem(), folder + "/below")
  }

  @Test func `A path through a file or a cycle of links is an error`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/paths-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let disk = PosixFileSystem()
    try disk.createDirectory(folder)
    _ = try disk.open(folder + "/file", .create)
    #expect(throws: StoreError.self) { try disk.createDirectory(folder + "/file/below") }
    #expect(throws: StoreError.self) { try disk.createDirectory("") }
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/circle", withDestinationPath: folder + "/circle")
    let error = #expect(throws: StoreError.self) {
      _ = try disk.open(folder + "/circle/file", .read)
    }
    guard case .inputOutput(_, _, let code, _) = error else {
      Issue.record("not a system error: \(String(describing: error))")
      return
    }
    #expect(code == 40)
  }
}
