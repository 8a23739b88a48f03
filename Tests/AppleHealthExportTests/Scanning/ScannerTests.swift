import AppleHealthExport
import Testing

@Suite struct ScannerTests {
  /// Every kind of markup, with multi-byte text and references.
  static let everything =
    "\u{FEFF}"
    + export(
      """
       <!-- a > comment with <Record> -> and -- in it -->
       <?target a > b ?>
       <![CDATA[ <Record> ]] > ]]>
       <Record type="a" sourceName='é"ü 心拍' device="&lt;&lt;HKDevice: 0x1&gt;, name:&amp;" / >
       </Record>
       text > here
       <Strange:thing attribute = "1>2</Record>" empty=""><Other/></Strange:thing >
       <Record Health App Version="2" x='&#169;&#xA9;&unknown;'/>
      """,
      dtd: "<!ATTLIST Record type CDATA #IMPLIED>\n")

  @Test func `Splitting a document into two reads anywhere gives the same events`() throws {
    let bytes = Array(Self.everything.utf8)
    let expected = try events(MemoryInput(chunks: [bytes]), capacity: 1 << 16)
    #expect(expected.count == 13)
    for position in 1..<bytes.count {
      let chunks = [Array(bytes[..<position]), Array(bytes[position...])]
      let found = try events(MemoryInput(chunks: chunks), capacity: 1 << 16)
      #expect(found == expected, "split at \(position)")
    }
  }

  @Test(arguments: 1...40)
  func `Every chunk size and buffer size gives the same events`(size: Int) throws {
    let bytes = Array(Self.everything.utf8)
    let expected = try events(MemoryInput(chunks: [bytes]), capacity: 1 << 16)
    let chunks = stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<min($0 + size, bytes.count)])
    }
    #expect(try events(MemoryInput(chunks: chunks), capacity: size) == expected)
    #expect(try events(MemoryInput(chunks: [bytes]), capacity: size) == expected)
  }

  @Test func `Attributes are decoded, in order and with their names as written`() throws {
    let lines = try events(MemoryInput(Self.everything))
    #expect(
      lines.contains {
        $0.hasSuffix(#"["type=a", "sourceName=é\"ü 心拍", "device=<<HKDevice: 0x1>, name:&"]"#)
      })
    #expect(lines.contains { $0.hasSuffix(#"["attribute=1>2</Record>", "empty="]"#) })
    #expect(lines.contains { $0.hasSuffix(#"["Health App Version=2", "x=©©&unknown;"]"#) })
  }

  @Test func `Every prefix of a document is truncated or not an export, and never complete`() throws
  {
    let bytes = Array(Self.everything.utf8)
    let whole = try events(MemoryInput(chunks: [bytes]))
    for count in 0..<bytes.count {
      let input = MemoryInput(chunks: [Array(bytes[..<count])])
      do throws(any Error) {
        let lines = try events(input)
        #expect(lines.last?.hasPrefix("truncated") == true, "\(count) bytes")
        #expect(Array(whole.prefix(lines.count - 1)) == lines.dropLast(), "\(count) bytes")
      } catch let error as ExportError {
        #expect(error == .notAnExport(found: nil), "\(count) bytes")
      }
    }
  }

  @Test func `Unclosed elements are closed by the end tag around them`() throws {
    let lines = try events(
      MemoryInput("<HealthData><Workout><WorkoutEvent></Workout></Record></HealthData>"))
    #expect(
      lines.filter { $0.hasPrefix("end") } == [
        "end(AppleHealthExport.ExportElement.workoutEvent)",
        "end(AppleHealthExport.ExportElement.workout)",
        "end(AppleHealthExport.ExportElement.healthData)",
      ])
  }

  @Test func `A tag cut off by a new tag does not remove the new one`() throws {
    let (items, summary) = try read(export("<Record type=\"a\" sourc" + record()))
    #expect(items.records.count == 1)
    #expect(summary.malformedTags == 1)
    #expect(summary.problems[.missingAttribute] == 1)
  }

  @Test func `Random bytes never trap, and split reads give the same events`()
    throws
  {
    var state: UInt64 = 42
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let bytes = Array(Self.everything.utf8)
    let interesting = Array("<>/&;\"'=! ?-[]".utf8) + [0, 0x80, 0xFF, 0x0B]
    for _ in 0..<1000 {
      var changed = bytes
      for _ in 0...random(4) { changed[random(changed.count)] = interesting[random(18)] }
      let outcomes = [1 << 16, 7].map { capacity in
        Result { try events(MemoryInput(chunks: [changed]), capacity: capacity) }
          .mapError { $0 as? ExportError ?? .cannotRead(reason: "\($0)") }
      }
      #expect(outcomes[0] == outcomes[1])
    }
  }
}
