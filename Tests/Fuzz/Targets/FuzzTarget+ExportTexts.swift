import AppleHealthExport
import Foundation

extension FuzzTarget {
  /// Texts in exports: the JSON of clinical records, or lines of a rate and a time; the first byte
  /// selects the kind.
  static let exportTexts = FuzzTarget(name: "ExportTexts", maximumLength: 4096) { bytes in
    var input = FuzzInput(bytes)
    if input.byte() % 2 == 0 {
      let resource = ClinicalResource(Array(input.rest))
      if resource.displayName?.isEmpty == true { fail("a name without text") }
      return
    }
    let beats = input.rest.split(separator: UInt8(ascii: "\n")).map { line in
      let text = String(decoding: line, as: UTF8.self)
      let rate = text.prefix { $0 != " " }
      return ExportBeat(bpm: Double(rate) ?? 0, time: String(text.dropFirst(rate.count)))
    }
    let start = Date(timeIntervalSinceReferenceDate: 0)
    guard let found = HeartbeatTimes(beats, start: start, end: start + 3600) else { return }
    guard found.times.count == found.gaps.count, found.shift <= 0, found.shift.isFinite,
      found.times.first.map({ $0 >= 0 }) == true,
      Swift.zip(found.times, found.times.dropFirst()).allSatisfy({ $0 <= $1 })
    else { fail("heartbeats that are none") }
  } seeds: {
    [
      Seed(
        "resource",
        Array(
          #"0{"resourceType":"Observation","code":{"text":"Pulse","coding":[{"display":"P"}]},"#
            .utf8) + Array(#""category":[{"coding":[{"code":"vital-signs"}]}]}"#.utf8)),
      Seed("heartbeats", Array("160 7:30:01.00 AM\n61 07:30:02,01\n59 ٠٧:٣٠:١٢٫٥٠".utf8)),
    ]
  }
}
