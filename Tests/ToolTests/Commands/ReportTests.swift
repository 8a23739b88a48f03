import Foundation
import HealthStore
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@testable import HealthStoreTool

/// `healthstore report`.
@Suite struct ReportTests {
  /// Makes a store with three days of everything on a page, of one source.
  static func makeStore(
    _ folder: TestFolder, subject: String = "", source: String = "Watch"
  ) throws -> String {
    var records = ""
    let name = source.map { character in
      ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"][character] ?? String(character)
    }.joined()
    func add(_ type: String, _ unit: String, _ start: String, _ end: String, _ value: String) {
      records += """
         <Record type="\(type)" sourceName="\(name)" \(unit.isEmpty ? "" : "unit=\"\(unit)\" ")\
        startDate="\(start) +0000" endDate="\(end) +0000" value="\(value)"/>

        """
    }
    for (day, steps) in [("01", 5000), ("02", 7000), ("04", 12_000)] {
      let date = "2024-02-\(day)"
      add(
        "HKQuantityTypeIdentifierStepCount", "count", "\(date) 08:00:00", "\(date) 09:00:00",
        "\(steps)")
      for (hour, rate) in [("08", 60), ("12", 90)] {
        let time = "\(date) \(hour):00:00"
        add("HKQuantityTypeIdentifierHeartRate", "count/min", time, time, "\(rate)")
      }
      for (begin, end, stage) in [
        ("01", "03", "AsleepCore"), ("03", "04", "AsleepDeep"), ("04", "05", "Awake"),
      ] {
        add(
          "HKCategoryTypeIdentifierSleepAnalysis", "", "\(date) \(begin):00:00",
          "\(date) \(end):00:00", "HKCategoryValueSleepAnalysis\(stage)")
      }
    }
    records += """
       <Workout workoutActivityType="HKWorkoutActivityTypeTraditionalStrengthTraining" \
      duration="45" durationUnit="min" sourceName="\(name)" startDate="2024-02-02 17:00:00 +0000" \
      endDate="2024-02-02 17:45:00 +0000"/>

      """
    let export = try folder.write(
      "\(UUID()).xml",
      """
      <HealthData locale="en_GB">
       <ExportDate value="2024-03-01 10:00:00 +0100"/>
      \(records)</HealthData>
      """)
    let path = folder.store()
    let run = try ToolProcess.run(["import", export, "--store", path, "--subject", subject])
    #expect(run.status == 0, "\(run.error)")
    return path
  }

  private func report(_ path: String, _ options: [String] = []) throws -> String {
    let run = try ToolProcess.run(["report", "--store", path, "-"] + options)
    #expect(run.status == 0, "\(run.error)")
    return run.out
  }

  /// Parses a page as XML.
  private func parse(_ page: String) throws -> PageParser {
    let parser = PageParser()
    let xml = XMLParser(data: Data(page.utf8))
    xml.delegate = parser
    #expect(xml.parse(), "\(String(describing: xml.parserError)) at line \(xml.lineNumber)")
    return parser
  }

  @Test func `A page has the days, weeks, nights, workouts, sources and gaps of a store`() throws {
    let folder = try TestFolder()
    let page = try parse(report(try Self.makeStore(folder)))
    let rows = page.rows
    #expect(page.titles == ["Steps", "Heart rate", "Sleep", "Workouts", "Sources", "Gaps"])
    #expect(rows.contains(["2024-02-02", "7,000"]))
    #expect(rows.contains(["2024-01-29", "24,000"]), "the week of the Monday before")
    #expect(rows.contains(["2024-02-04", "75", "60", "90"]))
    #expect(rows.contains(["2024-02-01", "3 h 00 min", "1 h 00 min", "2 h 00 min", "1 h 00 min"]))
    #expect(
      rows.contains(
        ["2024-02-02 17:00", "Traditional strength training", "45", "–", "–", "Watch"]))
    #expect(rows.contains(["Watch", "Watch", "19", "2024-02-01", "2024-02-04"]))
    let gap = "2024-01-08 to 2024-01-31, 2024-02-03"
    #expect(!rows.contains { $0.last == gap }, "a type without samples on most days has no gaps")
    let few = try parse(
      report(folder.store(), ["--from", "2024-02-01", "--to", "2024-02-05"]))
    #expect(few.rows.contains(["stepCount", "3", "3 of 4", "2024-02-03"]))
  }

  @Test func `Days follow the time zone`() throws {
    let folder = try TestFolder()
    let path = try Self.makeStore(folder)
    let page = try parse(report(path, ["--time-zone", "Pacific/Kiritimati"]))
    // Fourteen hours ahead of UTC, noon is on the next day.
    #expect(page.rows.contains(["2024-02-01", "60", "60", "60"]))
    #expect(page.rows.contains(["2024-02-02", "75", "60", "90"]))
    #expect(page.rows.contains(["2024-02-03", "90", "90", "90"]))
    #expect(page.text.contains("Pacific/Kiritimati"))
  }

  @Test(
    arguments: [
      "<script>alert(1)</script>", "\"><img src=x onerror='alert(1)'>", "a & b", "</title>",
      "]]>", "é \u{202E}x 😀",
    ])
  func `Names in the data are escaped`(name: String) throws {
    let folder = try TestFolder()
    let path = try Self.makeStore(folder, subject: name, source: name)
    let html = try report(path, ["--subject", name])
    let page = try parse(html)
    // Characters that would reorder the surrounding text are escaped.
    let name = name.printable
    #expect(page.rows.contains { $0.last == name }, "the source of a workout")
    #expect(page.rows.contains { $0.first == name }, "a source")
    #expect(page.text.contains("Health report of \(name)"))
    #expect(html.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isUnprintable })
    #expect(page.elements.isDisjoint(with: ["script", "img", "iframe", "object", "link"]))
    #expect(page.attributes.allSatisfy { !$0.hasPrefix("on") && $0 != "src" })
  }

  @Test func `A page loads nothing and runs no script`() throws {
    let folder = try TestFolder()
    let html = try report(try Self.makeStore(folder))
    let page = try parse(html)
    #expect(!page.elements.contains("script"))
    #expect(page.links.allSatisfy { $0.hasPrefix("#") })
    #expect(html.contains("default-src 'none'"))
    // XML namespace names, which are never loaded.
    let addresses = html.split(separator: "http").dropFirst()
    #expect(
      addresses.allSatisfy {
        $0.hasPrefix("://www.w3.org/1999/xhtml\"") || $0.hasPrefix("://www.w3.org/2000/svg\"")
          || $0.hasPrefix("-equiv=")
      })
  }

  @Test func `Each drawing has a label and a table, and each link has a target`() throws {
    let folder = try TestFolder()
    let page = try parse(report(try Self.makeStore(folder)))
    #expect(page.pairs.count == 8)
    #expect(page.pairs.allSatisfy { $0.drawings == 1 && $0.tables == 1 })
    #expect(page.drawingLabels.allSatisfy { $0.contains("the table has") })
    #expect(Set(page.drawingLabels).count == page.drawingLabels.count)
    // Scrollable tables can be focused with the keyboard, and each has a caption and header cells.
    #expect(page.regions == page.pairs.count)
    #expect(page.captions == page.pairs.count)
    // Every link of the table of contents has a target.
    #expect(page.links.allSatisfy { page.ids.contains(String($0.dropFirst())) })
    #expect(page.ids.count == Set(page.ids).count)
  }

  @Test func `The same samples give the same bytes, even from other files`() throws {
    let folder = try TestFolder()
    let path = try Self.makeStore(folder)
    let first = try report(path)
    #expect(try report(path) == first)
    #expect(try ToolProcess.run(["compact", path]).status == 0)
    #expect(try report(path) == first)
    let file = folder.path + "/page.html"
    let run = try ToolProcess.run(["report", "--store", path, file])
    #expect(run.lines == ["\(file): 28 days, 2 types"])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == first)
  }

  @Test func `An empty store or range gives a page that says so`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [])
    let empty = try ToolProcess.run(["report", "--store", path, "-"])
    #expect(empty.status == 0)
    #expect(empty.error.contains("There are no samples of this --subject."))
    #expect(try parse(empty.out).text.contains("There are no samples."))
    let other = try TestFolder()
    let page = try parse(
      report(try Self.makeStore(other), ["--from", "2020-01-01", "--to", "2020-02-01"]))
    #expect(page.text.contains("There are no samples in this time."))
    #expect(page.pairs.isEmpty)
  }

  @Test(
    arguments: [
      (["--from", "2024-01-01", "--to", "2025-06-01"], "A report has 366 days at most"),
      (["--from", "2024-02-02", "--to", "2024-02-01"], "The time --to lies before --from"),
      (["--time-zone", "Atlantis"], "needs a name such as Europe/Berlin"),
      (["--from", "soon"], "needs a time"),
    ])
  func `Invalid days are refused with the reason`(
    options: [String], sentence: String
  ) throws {
    let folder = try TestFolder()
    let run = try ToolProcess.run(
      ["report", "--store", try Self.makeStore(folder), folder.path + "/page.html"] + options)
    #expect(run.status == 2)
    #expect(run.error.contains(sentence), "\(run.error)")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/page.html"))
  }

  @Test func `A page that cannot be written ends with status 3, one in the store with status 2`()
    throws
  {
    let folder = try TestFolder()
    let path = try Self.makeStore(folder)
    let missing = try ToolProcess.run(["report", "--store", path, folder.path + "/no/page.html"])
    #expect(missing.status == 3)
    #expect(missing.error.contains("cannot be written"))
    let inside = try ToolProcess.run(["report", "--store", path, path + "/page.html"])
    #expect(inside.status == 2)
    let other = folder.store("other")
    try FileManager.default.copyItem(atPath: path, toPath: other)
    let before = try FileManager.default.contentsOfDirectory(atPath: other).sorted()
    #expect(try ToolProcess.run(["report", "--store", path, other + "/LOCK"]).status == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: other).sorted() == before)
  }

  @Test func `A page is written to a device and through a link`() throws {
    let folder = try TestFolder()
    let path = try Self.makeStore(folder)
    let (link, target) = (folder.path + "/link", folder.path + "/target.html")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    for _ in 1...2 { #expect(try ToolProcess.run(["report", "--store", path, link]).status == 0) }
    #expect(try String(contentsOfFile: target, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    let pipe = folder.path + "/pipe"
    let run = try ToolProcess.shell(
      "mkfifo \"$pipe\"; cat \"$pipe\" & \"$tool\" report --store \"$store\" \"$pipe\" >&2; wait",
      ["store": path, "pipe": pipe])
    #expect(run.status == 0 && run.out.hasPrefix("<!DOCTYPE html>"))
    #expect(
      try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType
        != .typeRegular)
  }

  @Test(arguments: [
    [("bodyMass", "1.7e308", "kg"), ("bodyMass", "-1.7e308", "kg")],
    [("heartRate", "1.7e308", "count/min")],
    [("heartRate", "5e-324", "count/min"), ("heartRate", "1e-323", "count/min")],
    [("stepCount", "1.7e308", "count"), ("stepCount", "1.7e308", "count")],
    [("activeEnergyBurned", "1.7e308", "kcal"), ("activeEnergyBurned", "1.7e308", "kcal")],
  ])
  func `Numbers of every size are reported, plotted and exported`(
    samples: [(type: String, value: String, unit: String)]
  ) throws {
    let folder = try TestFolder()
    let path = folder.store()
    let rows = samples.enumerated().map { index, sample in
      "\(UUID()),\(sample.type),2024-03-0\(index / 2 + 1),\(sample.value),\(sample.unit)\n"
    }
    let file = try folder.write("samples.csv", "uuid,type,start,value,unit\n" + rows.joined())
    #expect(try ToolProcess.run(["ingest", file, "--store", path]).status == 0)
    #expect(try ToolProcess.run(["report", "-", "--store", path]).status == 0)
    #expect(
      try ToolProcess.run(
        ["aggregate", "--type", samples[0].type, "--plot", "--store", path]
      ).status == 0)
    let export = try ToolProcess.run(["export", "--format", "jsonl", "--store", path])
    let again = try folder.write("samples.jsonl", export.out)
    #expect(try ToolProcess.run(["ingest", again, "--store", path]).status == 0)
  }
}

/// Collects the content of a page.
private final class PageParser: NSObject, XMLParserDelegate {
  var elements: Set<String> = []
  var attributes: Set<String> = []
  var ids: [String] = []
  var links: [String] = []
  var titles: [String] = []
  var rows: [[String]] = []
  var pairs: [(drawings: Int, tables: Int)] = []
  var drawingLabels: [String] = []
  var regions = 0
  var captions = 0
  /// All text, concatenated.
  var text = ""
  private var cell: String?
  private var heading: String?

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes found: [String: String]
  ) {
    elements.insert(name)
    attributes.formUnion(found.keys)
    if let id = found["id"] { ids.append(id) }
    if let link = found["href"] { links.append(link) }
    switch name {
    case "h2": heading = ""
    case "tr": rows.append([])
    case "th", "td": cell = ""
    case "caption": captions += 1
    case "div" where found["class"] == "pair": pairs.append((0, 0))
    case "div" where found["role"] == "region" && found["tabindex"] == "0": regions += 1
    case "svg":
      if !pairs.isEmpty { pairs[pairs.count - 1].drawings += 1 }
      drawingLabels.append(found["role"] == "img" ? found["aria-label"] ?? "" : "")
    case "table": if !pairs.isEmpty { pairs[pairs.count - 1].tables += 1 }
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    text += string
    cell? += string
    heading? += string
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    switch name {
    case "h2":
      titles.append(heading ?? "")
      heading = nil
    case "th", "td":
      rows[rows.count - 1].append(cell ?? "")
      cell = nil
    default: break
    }
  }
}
