import CoreLocation
import Foundation
import HealthStore

// The files of routes and electrocardiograms, and the heartbeats of records.
extension ExportDocument {
  /// Writes series and electrocardiograms, to separate files or as parts of records.
  func writeSeries(_ type: String) throws {
    origins.removeAll()
    try objects.forEach(type) { object in
      switch object.sample {
      case is HKWorkoutRoute: try writeRoute(object, type)
      case let recording as HKElectrocardiogram: try write(recording, object, type)
      case is HKHeartbeatSeriesSample:
        if !options.isPlain { try writeOther(object, type) }
        heartbeats[object.start.rounded(.down), default: []].append(
          HeartbeatReference(
            uuid: object.uuid, end: object.end, source: object.source,
            isWritten: !options.isPlain))
      default: try writeOther(object, type)
      }
      try flushIfFull()
    }
  }

  private func writeRoute(_ object: StoredObject, _ type: String) throws {
    let date = DateText(object.start).text
    let (hour, minute) = (Int(date.dropFirst(11).prefix(2)) ?? 0, date.dropFirst(14).prefix(2))
    let clock = "\(hour % 12 == 0 ? 12 : hour % 12).\(minute)\(hour < 12 ? "am" : "pm")"
    let name = unusedName("workout-routes/route_\(date.prefix(10))_\(clock)", ".gpx")
    try writeLocations(of: object, to: folder.create(name))
    if let workout = object.parent {
      routes[workout, default: []].append(RouteReference(uuid: object.uuid, file: name))
    }
    if options.isPlain {
      note(written: type)
      note(.identifier)
      // Without a workout, no element names the source of the route.
      if object.parent == nil {
        note(.provenance)
        if try !objects.metadata(of: object).isEmpty { note(.metadata) }
      }
      try writeChildren(of: object)
    } else {
      try writeOther(object, type, file: name)
    }
  }

  private func writeLocations(of object: StoredObject, to output: ExportFileOutput) throws {
    var gpx = MarkupWriter()
    gpx.raw(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1">
       <trk>
        <trkseg>

      """)
    try objects.forEachChunk(of: object) { chunk in
      for point in 0..<chunk.count {
        func text(_ column: Int) -> [UInt8] { Array(MarkupWriter.text(chunk[column, point]).utf8) }
        gpx.raw("<trkpt")
        gpx.attribute("lon", number: chunk[2, point])
        gpx.attribute("lat", number: chunk[1, point])
        gpx.raw("><ele>")
        gpx.raw(text(3))
        gpx.raw("</ele><time>")
        let time = DateText(chunk[0, point])
        let fraction = chunk[0, point] - chunk[0, point].rounded(.down)
        gpx.raw(Array(time.bytes[..<10]))
        gpx.raw("T")
        gpx.raw(Array(time.bytes[11..<19]))
        if fraction > 0 { gpx.raw(Array(Self.milliseconds(fraction).utf8)) }
        gpx.raw("Z</time><extensions>")
        for (element, column) in [("speed", 8), ("course", 6), ("hAcc", 4), ("vAcc", 5)] {
          gpx.raw(Array("<\(element)>".utf8) + text(column) + Array("</\(element)>".utf8))
        }
        gpx.raw("</extensions></trkpt>\n")
      }
      try output.write(gpx.bytes)
      gpx.removeAll()
    }
    gpx.raw("  </trkseg>\n </trk>\n</gpx>\n")
    try output.write(gpx.bytes)
    try output.finish()
  }

  /// Returns a fraction of a second with three digits, rounded down so that it never becomes one.
  private static func milliseconds(_ fraction: Double) -> String {
    let digits = "\(min(999, Int(fraction * 1000)))"
    return "." + String(repeating: "0", count: 3 - digits.count) + digits
  }

  private func write(
    _ recording: HKElectrocardiogram, _ object: StoredObject, _ type: String
  ) throws {
    let date = DateText(object.start)
    let name = unusedName("electrocardiograms/ecg_\(date.text.prefix(10))", ".csv")
    let revision = objects.sourceRevision(of: object)
    let frequency = recording.samplingFrequency?.doubleValue(for: .hertz()) ?? 0
    let hardware = objects.device(of: object)?.hardwareVersion ?? ""
    let header = [
      "Name,", "Date of Birth,", "Recorded Date,\(date.text)",
      "Classification,\(ElectrocardiogramWords.name(of: recording.classification))",
      "Symptoms,\(ElectrocardiogramWords.name(of: recording.symptomsStatus))",
      "Software Version,\((revision.version ?? "").inCSV)", "Device,\(hardware.inCSV)",
      "Sample Rate,\(MarkupWriter.text(frequency)) hertz", "", "Lead,Lead I",
      "Unit,\(recording.voltageUnit.unitString.replacing("mcV", with: "µV"))", "", "",
    ]
    let output = try folder.create(name)
    try output.write(Array(header.joined(separator: "\n").utf8))
    var gaps = VoltageGaps(frequency: frequency)
    try objects.forEachChunk(of: object) { chunk in
      var lines = ""
      for point in 0..<chunk.count {
        let gap = ElectrocardiogramFile.gap + "\n"
        lines += String(repeating: gap, count: gaps.count(before: chunk[0, point]))
        lines += MarkupWriter.text(chunk[1, point]) + "\n"
      }
      try output.write(Array(lines.utf8))
    }
    try output.finish()
    if !gaps.areExact { note(.voltageTimes) }
    if options.isPlain {
      note(written: type)
      note(.identifier)
      note(.provenance)
      if !date.isExact { note(.exactDates) }
      if try !objects.metadata(of: object).isEmpty { note(.metadata) }
      try writeChildren(of: object)
    } else {
      try writeOther(object, type, file: name)
    }
  }

  /// Writes the heartbeats from which a heart rate variability was computed: those of the series
  /// with the same source and time.
  func writeHeartbeats(of record: StoredObject) throws {
    let second = record.start.rounded(.down)
    let (end, source) = (record.end.rounded(.down), record.source)
    guard var found = heartbeats[second],
      let index = found.firstIndex(where: {
        $0.end.rounded(.down) == end && $0.source == source
      }), let series = try objects.object(found[index].uuid)
    else { return }
    if !found[index].isWritten {
      note(written: HKSeriesType.heartbeat().identifier)
      note(.identifier)
    }
    found[index].isWritten = true
    heartbeats[second] = found
    markup.raw("  <HeartRateVariabilityMetadataList>\n")
    var last: Double?
    try objects.forEachChunk(of: series) { chunk in
      for point in 0..<chunk.count {
        let time = chunk[0, point]
        // After a gap, there is no interval from which to compute a rate.
        if let last, chunk[1, point] == 0, time > last {
          let hundredths = ((series.start + time) * 100).rounded() / 100
          let text = DateText(hundredths).text.dropFirst(11).prefix(8)
          let rest = Int(((hundredths - hundredths.rounded(.down)) * 100).rounded())
          markup.raw("   <InstantaneousBeatsPerMinute")
          markup.attribute("bpm", number: (60 / (time - last)).rounded())
          markup.attribute("time", "\(text).\(rest < 10 ? "0" : "")\(rest)")
          markup.raw("/>\n")
        }
        last = time
      }
    }
    markup.raw("  </HeartRateVariabilityMetadataList>\n")
  }
}

extension String {
  /// The text as a CSV field, quoted if necessary, with line breaks replaced by spaces.
  fileprivate var inCSV: String {
    let line = split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.contains(where: { $0 == "," || $0 == "\"" })
      ? "\"" + line.replacing("\"", with: "\"\"") + "\"" : line
  }
}

/// A counter of the missing measurements of an electrocardiogram.
private struct VoltageGaps {
  let frequency: Double
  /// Whether every time is a multiple of the sampling interval.
  private(set) var areExact = true
  private var position = 0

  /// The maximum number of lines for one gap, so that the file does not consist of gaps.
  private static let most = 1 << 20

  init(frequency: Double) { self.frequency = frequency }

  /// Returns the number of missing measurements before a voltage at the given time.
  mutating func count(before time: Double) -> Int {
    let found = (time * frequency).rounded()
    guard frequency > 0, found >= Double(position), found <= Double(position + Self.most),
      Double(found) / frequency == time
    else {
      areExact = false
      position += 1
      return 0
    }
    defer { position = Int(found) + 1 }
    return Int(found) - position
  }
}
