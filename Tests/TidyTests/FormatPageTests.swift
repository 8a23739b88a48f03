import Testing

/// Docs/format.md describes the version of each file that the code writes.
@Suite struct FormatPageTests {
  @Test(arguments: [
    ("Log/LogHeader.swift", "## The log, version "),
    ("Segment/SegmentHeader.swift", "## Segment files, version "),
  ])
  func `The heading has the version of the header`(source: String, heading: String) throws {
    let files = try Repository().files()
    let page = try #require(files.first { $0.path == "Docs/format.md" })
    let header = try #require(files.first { $0.path == "Sources/SampleLog/" + source })
    let written = try #require(header.text.firstMatch(of: /static let version: UInt32 = (\d+)/))
    let described = page.lines.filter { $0.hasPrefix(heading) }.map { $0.dropFirst(heading.count) }
    #expect(described == [written.1])
  }

  @Test func `No sentence repeats a version beside the headings`() throws {
    let files = try Repository().files()
    let page = try #require(files.first { $0.path == "Docs/format.md" })
    #expect(!page.text.contains(/version number, now/))
  }
}
