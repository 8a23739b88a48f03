import AppleHealthExport
import Foundation
import Testing

@testable import AppleHealthExport

@Suite struct SourceTests {
  static let document = Array(export(record()).utf8)
  static let clinical = Array("<?xml version=\"1.0\"?><ClinicalDocument/>".utf8)

  static func values(_ path: String) throws -> [String?] {
    try read(ExportReader(ExportSource.open(path))).items.records.map(\.value)
  }

  @Test func `A file of any name is read, and its length is known`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("导出.xml", Self.document)
    #expect(try ExportSource.open(path).byteCount == Int64(Self.document.count))
    #expect(try Self.values(path) == ["62"])
  }

  @Test(arguments: ["", "apple_health_export/"])
  func `The export in a folder is found by its content`(prefix: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(prefix + "导出.XML", Self.document)
    try folder.write(prefix + "export_cda.xml", Self.clinical)
    try folder.write(prefix + "._export.xml", Self.document)
    try folder.write("__MACOSX/export.xml", Self.document)
    try folder.write(prefix + "empty.xml", [])
    try folder.write(prefix + "workout-routes/route.gpx", Self.document)
    #expect(try Self.values(folder.path) == ["62"])
    #expect(try Self.values(folder.path + "/") == ["62"])
  }

  @Test func `A folder with no export or several throws`() throws {
    let folder = try TemporaryFolder()
    try folder.write("export_cda.xml", Self.clinical)
    #expect(throws: ExportError.noExportInside(path: folder.path)) {
      try ExportSource.open(folder.path)
    }
    let names = try ["a.xml", "b.xml"].map { try folder.write($0, Self.document) }
    #expect(throws: ExportError.severalExports(path: folder.path, names: names)) {
      try ExportSource.open(folder.path)
    }
  }

  @Test func `A folder that cannot be listed throws`() throws {
    let folder = try TemporaryFolder()
    let gone = folder.path + "/gone"
    let error = try #require(throws: ExportError.self) {
      try ExportSource.xmlFiles(in: gone, depth: 1)
    }
    guard case .cannotOpen(path: gone, let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(reason.contains("exist") && !reason.hasSuffix("."))
  }

  @Test func `A missing path throws an error that contains the path`() throws {
    let error = try #require(throws: ExportError.self) { try ExportSource.open("/no/such") }
    #expect(error.description == "/no/such cannot be opened: there is no such file.")
    #expect(throws: ExportError.self) { try FileInput(path: "/tmp") }
  }

  static let archives: [(archive: String, entry: String)] = [
    ("export.zip", "apple_health_export/export.xml"),
    ("export.zip", "apple_health_export/导出.xml"),
    ("no-extension", "we[i]rd*?\\ name.xml"),
    ("[x]*.zip", "-x.xml"),
    ("-p.zip", "-d.xml"),
    ("b\\s.zip", "a b/Export.XML"),
  ]

  @Test(arguments: archives, [0, 3])
  func `An archive and its entry may have any name`(
    names: (archive: String, entry: String), host: Int
  ) throws {
    let (archive, entry) = names
    let folder = try TemporaryFolder()
    // Other files that the names would match as patterns.
    try folder.write("x.zip", ZipFile([("export.xml", Array(export("").utf8))]).bytes)
    var zip = ZipFile([
      ("apple_health_export/export_cda.xml", Self.clinical),
      ("__MACOSX/._export.xml", Self.document),
      ("weird!! name.xml", Self.clinical), (entry, Self.document),
    ])
    zip.host = host
    let path = try folder.write(archive, zip.bytes)
    #expect(try ExportSource.open(path).byteCount == Int64(Self.document.count))
    #expect(try Self.values(path) == ["62"])
  }

  @Test func `Special characters in the name of an archive or entry match only themselves`() {
    #expect(ZipArchive.pattern("-a[1]*?\\-.xml") == "[-]a[[]1][*][?][\\\\]-.xml")
  }

  @Test func `An archive with no export, several exports, damage or a cut throws`() throws {
    let folder = try TemporaryFolder()
    let none = try folder.write("none.zip", ZipFile([("a.xml", Self.clinical)]).bytes)
    #expect(throws: ExportError.noExportInside(path: none)) { try ExportSource.open(none) }
    let two = try folder.write(
      "two.zip", ZipFile([("a.xml", Self.document), ("b.xml", Self.document)]).bytes)
    #expect(throws: ExportError.severalExports(path: two, names: ["a.xml", "b.xml"])) {
      try ExportSource.open(two)
    }
    var zip = ZipFile([("a.xml", Self.document)])
    zip.checksumError = 1
    let damaged = try folder.write("damaged.zip", zip.bytes)
    let reader = ExportReader(try ExportSource.open(damaged))
    #expect(throws: ExportError.unzipFailed(path: damaged, status: 2)) {
      while try reader.next() != nil {}
    }
    let cut = try folder.write("cut.zip", Array(zip.bytes.prefix(100)))
    #expect(throws: ExportError.unzipFailed(path: cut, status: 9)) { try ExportSource.open(cut) }
  }

  @Test func `A missing unzip program throws an error with advice`() {
    #expect(ExportError.unzipMissing.description.contains("Install it"))
    #expect((try? ZipArchive.findProgram("/nonexistent"))?.lastPathComponent == "unzip")
  }
}

/// A zip archive with stored entries, as small as the format allows.
struct ZipFile {
  var entries: [(name: String, content: [UInt8])]
  var checksumError: UInt32 = 0
  /// The system recorded in the archive: 3 is Unix.
  ///
  /// With 0, unzip changes names in its listing.
  var host = 3

  init(_ entries: [(name: String, content: [UInt8])]) {
    self.entries = entries
  }

  var bytes: [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    for (name, content) in entries {
      let sizes = [crc(content) ^ checksumError, UInt32(content.count), UInt32(content.count)]
      // Version 2.0, names in UTF-8, stored, 1980-01-01.
      let common =
        word(20) + word(0x800) + word(0) + word(0) + word(0x21)
        + sizes.flatMap(long) + word(name.utf8.count) + word(0)
      directory +=
        long(0x0201_4b50) + word(host << 8 | 20) + common
        + word(0) + word(0) + word(0) + long(0) + long(UInt32(file.count)) + name.utf8
      file += long(0x0403_4b50) + common + name.utf8 + content
    }
    let end =
      long(0x0605_4b50) + word(0) + word(0) + word(entries.count) + word(entries.count)
      + long(UInt32(directory.count)) + long(UInt32(file.count)) + word(0)
    return file + directory + end
  }

  private func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }

  private func long(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1) * 0xEDB8_8320 }
    }
  }
}
