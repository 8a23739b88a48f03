import SampleLog
import SampleLogSimulation
import Testing

/// The contents that the simulated disk may and may not have after a crash.
@Suite struct DiskTests {
  private let disk = SimulatedDisk(isRecording: true)

  private func open(_ name: String, _ access: FileAccess = .create) throws -> any File {
    try disk.process().open("s/" + name, access)
  }

  private func write(_ text: String, to file: any File, at offset: Int = 0) throws {
    try Array(text.utf8).withUnsafeBytes { try file.write($0, at: offset) }
  }

  /// Returns every image that a crash at the end of the record may leave.
  private func images(step: Int = 1) -> [DiskImage] {
    var state = CrashState(disk.image)
    var result: [DiskImage] = []
    var random = Seeded(1)
    for operation in disk.record { state.apply(operation) }
    guard let last = disk.record.last else { return [] }
    state.images(after: last, step: step, &random) { result.append($0) }
    return result
  }

  /// Returns the possible contents of a file, with nil if it may be missing.
  private func contents(_ name: String) -> Set<String?> {
    Set(images().map { $0[name].map { String(decoding: $0, as: UTF8.self) } })
  }

  @Test func `A synced file in a synced directory is complete in every image`() throws {
    let file = try open("f")
    try write("abc", to: file)
    try file.sync()
    try disk.process().syncDirectory("s")
    #expect(contents("f") == ["abc"])
  }

  @Test func `A file may be missing if its directory was not synced`() throws {
    let file = try open("f")
    try write("abc", to: file)
    try file.sync()
    _ = try open("g")
    #expect(contents("f") == ["abc", nil])
  }

  @Test func `An unsynced write may be torn at every byte`() throws {
    let file = try open("f")
    try write("...", to: file)
    try file.sync()
    try disk.process().syncDirectory("s")
    try write("abc", to: file)
    #expect(contents("f").isSuperset(of: ["...", "a..", "ab.", "abc"]))
    #expect(!contents("f").contains(nil))
  }

  @Test func `A file may have its new length with zeros or garbage in place of its bytes`()
    throws
  {
    let file = try open("f")
    try file.sync()
    try disk.process().syncDirectory("s")
    try write("abc", to: file)
    let contents = Set(images().map { $0["f"] ?? [] })
    #expect(contents.isSuperset(of: [[], [0, 0, 0], Array("abc".utf8)]))
    #expect(contents.contains { $0.count == 3 && $0 != [0, 0, 0] && $0[0] != 0x61 && $0[2] != 0 })
  }

  @Test func `Sectors of one write may reach the disk independently`() throws {
    let file = try open("f")
    let old = String(repeating: ".", count: 1024)
    try write(old, to: file)
    try file.sync()
    try disk.process().syncDirectory("s")
    try write(String(repeating: "a", count: 1024), to: file)
    let half = String(repeating: "a", count: 512)
    let rest = String(repeating: ".", count: 512)
    #expect(contents("f").isSuperset(of: [half + rest, rest + half]))
  }

  @Test func `A rename is atomic, and renames may persist independently`() throws {
    let file = try open("t")
    try write("new", to: file)
    try file.sync()
    let other = try open("f")
    try write("old", to: other)
    try other.sync()
    try disk.process().syncDirectory("s")
    try disk.process().rename("s/t", to: "s/f")
    _ = try open("g")
    #expect(contents("f") == ["old", "new"])
    let names = Set(images().map { $0.entries.map(\.name).sorted() })
    #expect(names == [["f"], ["f", "g"], ["f", "t"], ["f", "g", "t"]])
  }

  @Test func `Either name of a file with two names may be lost`() throws {
    let file = try open("f")
    try write("abc", to: file)
    try file.sync()
    try disk.process().syncDirectory("s")
    try disk.process().link("s/f", to: "s/g")
    try disk.process().remove("s/f")
    #expect(contents("f") == ["abc", nil])
    #expect(contents("g") == ["abc", nil])
    #expect(throws: StoreError.self) { try disk.process().link("s/g", to: "s/g") }
    try disk.process().syncDirectory("s")
    _ = try open("h")
    #expect(contents("f") == [nil])
    #expect(contents("g") == ["abc"])
  }

  @Test func `A write that is repeated and synced after a failed sync is durable`() throws {
    let file = try open("f")
    try write("...", to: file)
    try file.sync()
    try disk.process().syncDirectory("s")
    disk.faults = [DiskFault(.sync, 2)]
    try write("abc", to: file)
    #expect(throws: StoreError.self) { try file.sync() }
    try write("abc", to: file)
    try file.sync()
    #expect(contents("f") == ["abc"])
  }

  @Test func `An unsynced removal may be undone`() throws {
    _ = try open("f")
    try disk.process().syncDirectory("s")
    try disk.process().remove("s/f")
    #expect(contents("f") == ["", nil])
  }

  @Test func `A sync after a failed sync does not make the failed writes durable`() throws {
    let file = try open("f")
    try write("...", to: file)
    try file.sync()
    try disk.process().syncDirectory("s")
    disk.faults = [DiskFault(.sync, 2)]
    try write("abc", to: file)
    #expect(throws: StoreError.self) { try file.sync() }
    #expect(disk.visible.map { String(decoding: $0.bytes, as: UTF8.self) } == ["abc"])
    try file.sync()
    #expect(contents("f").isSuperset(of: ["...", "abc"]))
  }

  @Test func `After a failed sync that drops dirty pages, the old bytes return`() throws {
    let file = try open("f")
    try write("...", to: file)
    try file.sync()
    try disk.process().syncDirectory("s")
    disk.faults = [DiskFault(.sync, 2, isOdd: true)]
    try write("abc", to: file)
    #expect(throws: StoreError.self) { try file.sync() }
    #expect(disk.visible.map { String(decoding: $0.bytes, as: UTF8.self) } == ["..."])
    #expect(contents("f") == ["..."])
  }

  @Test(arguments: [false, true])
  func `Truncated bytes may return when the file grows`(isClearedFirst: Bool) throws {
    let file = try open("f")
    try write("abcdef", to: file)
    try file.sync()
    try disk.process().syncDirectory("s")
    // Zeros that never reached the disk make no difference.
    if isClearedFirst { try write("\0\0\0", to: file, at: 3) }
    try file.truncate(to: 3)
    try file.sync()
    #expect(contents("f") == ["abc"])
    try write("xyz", to: file, at: 3)
    #expect(contents("f").isSuperset(of: ["abc", "abcxyz", "abcdef"]))
  }

  @Test func `Bytes that were overwritten and synced before truncation do not return`() throws {
    let file = try open("f")
    try write("abcdef", to: file)
    try file.sync()
    try disk.process().syncDirectory("s")
    try write("\0\0\0", to: file, at: 3)
    try file.sync()
    try file.truncate(to: 3)
    try write("xyz", to: file, at: 3)
    #expect(!contents("f").contains("abcdef"))
  }

  @Test func `A dead process changes nothing and holds no lock`() throws {
    let process = disk.process()
    let lock = try process.lock("s/LOCK")
    #expect(throws: StoreError.self) { try disk.process().lock("s/LOCK") }
    process.kill()
    #expect(throws: StoreError.self) { try process.open("s/f", .create) }
    _ = try disk.process().lock("s/LOCK")
    withExtendedLifetime(lock) {}
  }
}
