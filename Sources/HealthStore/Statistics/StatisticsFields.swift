import Foundation

/// The fields of archived statistics.
struct StatisticsFields {
  let quantityType: HKQuantityType
  let startDate: Date
  let endDate: Date
  let unit: HKUnit
  let merged: StatisticsValues
  let sources: [HKSource]?
  let bySource: [HKSource: StatisticsValues]

  init(_ statistics: HKStatistics) {
    quantityType = statistics.quantityType
    startDate = statistics.startDate
    endDate = statistics.endDate
    unit = statistics.unit
    merged = statistics.merged
    sources = statistics.sources
    bySource = statistics.bySource
  }

  /// Decodes the fields, or returns nil if a field is missing or invalid.
  init?(coder: NSCoder) {
    guard
      coder.containsValue(forKey: "version"), coder.decodeInteger(forKey: "version") == 1,
      let quantityType = coder.decodeObject(HKQuantityType.self, "quantityType"),
      let start = coder.decodeNumber("start"), let end = coder.decodeNumber("end"),
      let unit = coder.decodeObject(HKUnit.self, "unit"),
      quantityType.is(compatibleWith: unit),
      let merged = StatisticsValues(coder: coder, "merged")
    else { return nil }
    self.quantityType = quantityType
    startDate = Date(timeIntervalSinceReferenceDate: start)
    endDate = Date(timeIntervalSinceReferenceDate: end)
    self.unit = unit
    self.merged = merged
    guard coder.containsValue(forKey: "sources") else {
      (sources, bySource) = (nil, [:])
      return
    }
    var (sources, bySource) = ([HKSource](), [HKSource: StatisticsValues]())
    // The loop ends at the first missing source, so a corrupt count cannot make it run long.
    var number = 0
    while number < coder.decodeInteger(forKey: "sources") {
      guard
        let source = coder.decodeObject(HKSource.self, "source\(number)"),
        let values = StatisticsValues(coder: coder, "values\(number)")
      else { return nil }
      sources.append(source)
      bySource[source] = values
      number += 1
    }
    (self.sources, self.bySource) = (sources, bySource)
  }

  func encode(with coder: NSCoder) {
    coder.encode(1, forKey: "version")
    coder.encode(quantityType, forKey: "quantityType")
    coder.encode(startDate.timeIntervalSinceReferenceDate, forKey: "start")
    coder.encode(endDate.timeIntervalSinceReferenceDate, forKey: "end")
    coder.encode(unit, forKey: "unit")
    merged.encode(with: coder, "merged")
    guard let sources else { return }
    coder.encode(sources.count, forKey: "sources")
    for (number, source) in sources.enumerated() {
      coder.encode(source, forKey: "source\(number)")
      (bySource[source] ?? StatisticsValues()).encode(with: coder, "values\(number)")
    }
  }
}

extension StatisticsValues {
  /// Decodes the values with a key prefix, or returns nil if a number or date interval is invalid.
  fileprivate init?(coder: NSCoder, _ prefix: String) {
    func value(_ name: String) -> Double?? {
      let key = "\(prefix).\(name)"
      guard coder.containsValue(forKey: key) else { return .some(nil) }
      return coder.decodeNumber(key).map { .some($0) }
    }
    guard
      let sum = value("sum"), let average = value("average"), let minimum = value("minimum"),
      let maximum = value("maximum"), let duration = value("duration"),
      let recent = value("mostRecent"), let start = value("mostRecentStart"),
      let end = value("mostRecentEnd")
    else { return nil }
    self.init(
      sum: sum, average: average, minimum: minimum, maximum: maximum, duration: duration)
    if let recent {
      guard let start, let end, start <= end else { return nil }
      mostRecent = MostRecent(value: recent, start: start, end: end)
    }
  }

  fileprivate func encode(with coder: NSCoder, _ prefix: String) {
    let fields = [
      ("sum", sum), ("average", average), ("minimum", minimum), ("maximum", maximum),
      ("duration", duration), ("mostRecent", mostRecent?.value),
      ("mostRecentStart", mostRecent?.start), ("mostRecentEnd", mostRecent?.end),
    ]
    for case (let name, let value?) in fields { coder.encode(value, forKey: "\(prefix).\(name)") }
  }
}

extension NSCoder {
  /// Returns the finite number with the given key, or nil if there is none.
  fileprivate func decodeNumber(_ key: String) -> Double? {
    guard containsValue(forKey: key) else { return nil }
    let number = decodeDouble(forKey: key)
    return number.isFinite ? number : nil
  }
}
