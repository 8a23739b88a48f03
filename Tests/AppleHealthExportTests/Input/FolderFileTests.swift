import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

@Suite struct FolderFileTests {
  private let folder: TemporaryFolder
  private let outside: TemporaryFolder
  private let store = HKHealthStore.inMemory()

  init() throws {
    folder = try TemporaryFolder()
    outside = try TemporaryFolder()
    try folder.write("export.xml", Array(export(record()).utf8))
    try outside.write("route.gpx", Self.gpx)
  }

  private static let gpx = Array(
    """
    <gpx><trkpt lon="6.1" lat="1"><ele>30</ele><time>2019-10-04T10:16:00Z</time></trkpt></gpx>
    """.utf8)

  /// The kinds of directory entries that are not regular files.
  private static let kinds = ["pipe", "socket", "device", "link", "linked pipe", "folder"]

  private func make(_ kind: String, _ name: String) throws {
    let path = folder.path + "/" + name
    let directory = URL(filePath: path).deletingLastPathComponent().path
    let manager = FileManager.default
    try manager.createDirectory(atPath: directory, withIntermediateDirectories: true)
    switch kind {
    case "pipe": try #require(mkfifo(path, 0o600) == 0)
    case "socket":
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let short = "/tmp/\(UUID().uuidString.prefix(8))"
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short.utf8) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
      }
      try #require(result == 0)
      try manager.moveItem(atPath: short, toPath: path)
    case "device": try manager.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
    case "link":
      try manager.createSymbolicLink(
        atPath: path, withDestinationPath: outside.path + "/route.gpx")
    case "linked pipe":
      let pipe = folder.path + "/pipe"
      try #require(mkfifo(pipe, 0o600) == 0)
      try manager.createSymbolicLink(atPath: path, withDestinationPath: pipe)
    default: try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
  }

  @Test(
    .timeLimit(.minutes(60)),
    arguments: kinds, ["workout-routes/a.gpx", "electrocardiograms/a.csv"])
  func `An entry that is not a file is named, and everything else is imported`(
    kind: String, name: String
  ) throws {
    try make(kind, name)
    try folder.write("workout-routes/b.gpx", Self.gpx)
    let summary = try store.importing(path: folder.path)
    #expect(summary.added == 2)
    #expect(summary.files.keys.sorted() == [name])
    #expect(summary.files[name]?.isBroken == true)
  }

  @Test(.timeLimit(.minutes(60)), arguments: kinds.dropLast())
  func `A document that is not a file is refused by name`(kind: String) throws {
    try FileManager.default.removeItem(atPath: folder.path + "/export.xml")
    try make(kind, "export.xml")
    let path = folder.path + "/export.xml"
    let error = try #require(throws: ExportError.self) { try store.importing(path: folder.path) }
    guard case .cannotOpen(path, _) = error else {
      Issue.record("\(error)")
      return
    }
  }

  @Test(arguments: ["workout-routes", "elsewhere", "clinical-records"])
  func `A link to a folder outside is named, and everything else is imported`(
    name: String
  ) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/" + name, withDestinationPath: outside.path)
    try folder.write("electrocardiograms/a.csv", Array(ElectrocardiogramFileTests.english.utf8))
    let summary = try store.importing(path: folder.path)
    #expect(summary.added == 2)
    #expect(summary.files.keys.sorted() == [name])
    #expect(summary.files[name]?.isBroken == true)
  }

  @Test func `An unreadable second document is named, and the export is imported`() throws {
    try make("link", "export_cda.xml")
    let summary = try store.importing(path: folder.path)
    #expect(summary.added == 1)
    #expect(summary.files["export_cda.xml"]?.isBroken == true)
  }

  @Test func `A file with several links counts once`() throws {
    try folder.write("electrocardiograms/b.csv", Array(ElectrocardiogramFileTests.english.utf8))
    for name in ["a", "c"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/electrocardiograms/\(name).csv", withDestinationPath: "b.csv")
    }
    let summary = try store.importing(path: folder.path)
    #expect(summary.added == 2 && summary.files.isEmpty)
  }

  @Test func `A link within the folder is followed`() throws {
    try folder.write("files/b.gpx", Self.gpx)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/workout-routes", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/workout-routes/a.gpx", withDestinationPath: "../files/b.gpx")
    let summary = try store.importing(path: folder.path)
    #expect(summary.added == 2 && summary.files.isEmpty)
  }

  @Test func `A sibling folder whose name has the same prefix is outside`() throws {
    let twin = folder.path + "-twin"
    try FileManager.default.createDirectory(atPath: twin, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: twin) }
    try Data(Self.gpx).write(to: URL(filePath: twin + "/a.gpx"))
    try FileManager.default.createDirectory(
      atPath: folder.path + "/workout-routes", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/workout-routes/a.gpx", withDestinationPath: twin + "/a.gpx")
    let summary = try store.importing(path: folder.path)
    #expect(summary.files["workout-routes/a.gpx"]?.isBroken == true)
  }
}
